import { BY_SECRET_KEY, type OperationDeclaration } from '../access/index.js';
import { TO_LOOK } from '../context/roles.js';
import { ConsentStatisticsDto, ConsentStatisticsQuery } from './dto.js';
import { SMALLEST } from './suppression.js';
import type { ConsentStatistics } from './view.js';

const EXAMPLE: ConsentStatistics = {
  object: 'consent_statistics',
  purpose: 'analytics',
  purposes: ['analytics'],
  country: null,
  split: null,
  imported: 'without',
  by: 'month',
  through: '2026-12-01',
  smallest: SMALLEST,
  periods: [
    {
      from: '2026-11-01',
      to: '2026-11-30',
      grants: 1204,
      refusals: 411,
      withdrawals: 37,
      expiries: null,
      grantShare: 0.7455,
      shown: 2950,
      unanswered: 1335,
      suppressed: ['expiries'],
    },
  ],
  series: [],
};

const DESCRIPTION =
  'Decisions on purposes, counted by day, week or month of UTC, and grants that ran out. No reader can find a person in the counts. Each decision counts on the day on which it was recorded, and one person may have made several. Imported and migrated records are counted apart (`imported=only`), their end with all others. A count from 1 to 9 is null, and so is each count that would give one away by subtraction: a week whose small days come to less than ten, a month or a country likewise. A country, or any other split, is counted by month only; versions only where their change gives no small count away. Of several purposes shown counts are added up, and nothing else. In `live` a day has counts from one hour after its end, and they never change; in `test` today has counts too.';

const ANSWER = {
  tag: 'Statistics',
  query: ConsentStatisticsQuery,
  headers: [
    {
      name: 'X-Log-Position',
      description: 'As a write answered it: the answer reflects at least that write.',
      required: false,
      example: '42',
    },
  ],
  answers: [{ status: 200, description: 'The counts.', contract: ConsentStatisticsDto, example: { ...EXAMPLE } }],
};

export const STATISTICS_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    roles: TO_LOOK,
    ...ANSWER,
    id: 'getConsentStatistics',
    method: 'GET',
    path: '/v1/statistics/consent',
    scope: 'statistics:read',
    subject: null,
    summary: 'How many agreed, and how many did not',
    description: DESCRIPTION,
    refusals: ['purpose_not_found', 'validation_failed'],
  },
];
