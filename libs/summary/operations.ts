import { BY_OPERATOR, type OperationDeclaration } from '../access/index.js';
import { TO_LOOK } from '../context/roles.js';
import { SummaryDto, SummaryQuery } from './dto.js';
import type { PlaceSummary } from './summary.js';

const EXAMPLE: PlaceSummary = {
  site: 'shop',
  env: 'live',
  grants: { share: 0.62, before: 0.58, days: 30 },
  requests: { open: 3, overdue: 1, dueWithin7Days: 2 },
  endpoints: { failing: 0, behind: 0 },
  renewals: 41,
  lastPublished: [
    {
      what: 'purpose',
      key: 'analytics',
      action: 'PUBLISH',
      version: 2,
      at: '2026-11-21T12:00:00.000Z',
      by: 'operator:opt_first',
    },
  ],
  lagSeconds: 0,
  needs: [
    { what: 'REQUESTS_OVERDUE', count: 1, link: '/console/shop/live/requests?state=OPEN&overdue=true' },
    { what: 'REQUESTS_DUE', count: 2, link: '/console/shop/live/requests?state=OPEN' },
    { what: 'RENEWALS', count: 41, link: '/console/shop/live/purposes' },
  ],
};

export const SUMMARY_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'getSummary',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/summary',
    tag: 'Operator',
    summary: 'How each site is, and what needs you',
    description:
      'Of every site and environment that the roles of the caller reach: how many agree, data requests, webhooks, grants that end soon, what was published last, and what needs an operator, with the page of the console that shows it. From rows: `lagSeconds` says how far they are behind. Shares are made of figures that the statistics show, so no reader can find a person in them.',
    query: SummaryQuery,
    answers: [
      {
        status: 200,
        description: 'The summary.',
        contract: SummaryDto,
        example: { object: 'summary', places: [EXAMPLE], isCut: false },
      },
    ],
    refusals: ['validation_failed'],
  },
];
