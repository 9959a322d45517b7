import { BY_ANY_KEY, BY_ANYBODY, type OperationDeclaration } from '../access/index.js';
import { PolicyDto, PolicyQuery } from './dto.js';
import { ruleAt } from './look-up.js';
import { policyView } from './view.js';
import { TO_LOOK } from '../context/roles.js';

const CACHED = {
  ETag: 'Tag of this answer.',
  'Cache-Control': 'Five minutes, and not beyond the day on which another rule begins.',
};

/** The example is the answer itself, so that it never differs from one. */
const EXAMPLE = policyView(ruleAt({ country: 'DE', region: null }, '2026-11-21T12:00:00.000Z'), 'DE');

export const POLICY_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'getPolicy',
    roles: TO_LOOK,
    method: 'GET',
    path: '/v1/policy',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Policy',
    summary: 'What the law of a place demands',
    description:
      'The rule of the region, else of the country, else the strictest one, `matchedBy: FALLBACK`; where the site has made a rule its own, as it has it: `overriddenBy` says what was changed, by whom and why. A rule begins at midnight of its place. All rules stand at `/docs/policy`. No legal advice: `review` marks rules of which something is doubted.',
    query: PolicyQuery,
    headers: [
      { name: 'If-None-Match', description: 'ETag of the answer at hand.', required: false, example: 'W/"Jx2c-9oQ"' },
      {
        name: 'X-Log-Position',
        description: 'As applying the catalogue answered it: the answer reflects at least that.',
        required: false,
        example: '42',
      },
    ],
    answers: [
      { status: 200, description: 'The rule.', contract: PolicyDto, example: EXAMPLE, headers: CACHED },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['validation_failed'],
  },
  { ...BY_ANYBODY, id: 'getPolicyTable', path: '/docs/policy' },
];
