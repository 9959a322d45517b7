import { BY_OPERATOR, KB, type OperationDeclaration } from '../../context/operations.js';
import { TO_ADMINISTER } from '../../context/roles.js';
import { LASTING_IDEMPOTENCY, REPLAYED } from '../../http/idempotency-key.js';
import { ListQuery } from '../../http/list.js';
import { RevokeKeyDto } from './dto.js';
import {
  ChangeOperatorDto,
  EndedSessionsDto,
  OperatorDto,
  OperatorListDto,
  OperatorSessionListDto,
} from './operators.dto.js';

const AT = '2026-11-21T12:00:00.000Z';
const OPERATOR = {
  id: 'opt_4Zt8nXq2LmPa',
  kind: 'PROGRAM',
  name: 'deploy pipeline',
  email: null,
  source: 'TOKEN',
  roles: [{ role: 'EDITOR', site: 'shop', env: 'test' }],
  state: 'ACTIVE',
  lastSeenAt: AT,
  createdAt: AT,
  createdBy: 'operator:opt_first',
};
const ID = { id: { description: 'Id of the operator.', example: 'opt_4Zt8nXq2LmPa' } };
const POSITION = { 'X-Log-Position': 'Position of the change in the log.', ...REPLAYED };
const OPERATION = { ...BY_OPERATOR, roles: TO_ADMINISTER, tag: 'Operator' } as const;
const PATH = '/admin/v1/operators';
const UNKNOWN = 'operator_token_not_found';

export const OPERATOR_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...OPERATION,
    id: 'listOperators',
    method: 'GET',
    path: PATH,
    summary: 'Operators',
    description: 'Persons and programs who act or acted as operators, newest first.',
    query: ListQuery,
    answers: [
      {
        status: 200,
        description: 'A page of operators.',
        contract: OperatorListDto,
        example: { data: [OPERATOR], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...OPERATION,
    id: 'changeOperator',
    method: 'PATCH',
    path: `${PATH}/{id}`,
    bodyLimit: 16 * KB,
    summary: 'Change an operator',
    description:
      'Name and roles of a program, from the next request on. The token of the first start stays what it is, and the last token with ADMIN everywhere and without an end keeps that role.',
    pathParameters: ID,
    headers: [LASTING_IDEMPOTENCY],
    body: {
      contract: ChangeOperatorDto,
      examples: { roles: { roles: [{ role: 'EDITOR', site: 'shop', env: 'test' }] }, name: { name: 'pipeline' } },
    },
    answers: [
      { status: 200, description: 'The operator.', contract: OperatorDto, example: OPERATOR, headers: POSITION },
    ],
    refusals: ['validation_failed', 'state_conflict', UNKNOWN],
  },
  {
    ...OPERATION,
    id: 'endOperator',
    method: 'POST',
    path: `${PATH}/{id}/end`,
    bodyLimit: 4 * KB,
    summary: 'End an operator',
    description:
      'The operator can act no longer, and is signed out everywhere at once. Ending one that is ended changes nothing.',
    pathParameters: ID,
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: RevokeKeyDto, examples: { left: { reason: 'left the company' } } },
    answers: [
      {
        status: 200,
        description: 'The operator.',
        contract: OperatorDto,
        example: { ...OPERATOR, state: 'ENDED' },
        headers: POSITION,
      },
    ],
    refusals: ['validation_failed', 'state_conflict', UNKNOWN],
  },
  {
    ...OPERATION,
    id: 'listOperatorSessions',
    method: 'GET',
    path: `${PATH}/{id}/sessions`,
    summary: 'Sessions of an operator',
    description: 'Sessions in browsers that have not ended, newest first.',
    pathParameters: ID,
    answers: [
      {
        status: 200,
        description: 'The sessions.',
        contract: OperatorSessionListDto,
        example: {
          data: [
            {
              id: 'ses_9f86d081884c7d659a2feaa0c55ad015',
              beganAt: AT,
              lastSeenAt: AT,
              endsAt: '2026-11-21T20:00:00.000Z',
              current: true,
            },
          ],
        },
      },
    ],
    refusals: ['operator_token_not_found'],
  },
  {
    ...OPERATION,
    id: 'endOperatorSessions',
    method: 'POST',
    path: `${PATH}/{id}/sessions/end`,
    summary: 'End all sessions of an operator',
    description: 'The operator is signed out everywhere at once, on every instance, and can sign in again.',
    pathParameters: ID,
    answers: [{ status: 200, description: 'How many.', contract: EndedSessionsDto, example: { ended: 2 } }],
    refusals: ['operator_token_not_found'],
  },
];
