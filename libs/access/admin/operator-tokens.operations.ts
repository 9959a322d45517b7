import { ListQuery } from '../../http/list.js';
import { LASTING_IDEMPOTENCY, REPLAYED } from '../../http/idempotency-key.js';
import { BY_OPERATOR, KB, type OperationDeclaration } from '../../context/operations.js';
import { TO_ADMINISTER } from '../../context/roles.js';
import { RevokeKeyDto, RotateKeyDto } from './dto.js';
import {
  IssuedOperatorTokenDto,
  IssueOperatorTokenDto,
  OperatorTokenDto,
  OperatorTokenListDto,
  RotatedOperatorTokenDto,
} from './operator-tokens.dto.js';

const AT = '2026-11-21T12:00:00.000Z';
const TOKEN = {
  id: 'opt_4Zt8nXq2LmPa',
  name: 'deploy pipeline',
  last4: 'x9Qz',
  state: 'live',
  createdAt: AT,
  createdBy: 'operator:opt_first',
  roles: [{ role: 'EDITOR', site: 'shop', env: 'test' }],
  expiresAt: '2027-02-19T12:00:00.000Z',
  rotatedFrom: null,
  replacedBy: null,
  revokedAt: null,
};
const ID = { id: { description: 'Id of the token.', example: 'opt_4Zt8nXq2LmPa' } };
const POSITION = { 'X-Log-Position': 'Position of the change in the log.', ...REPLAYED };
const OPERATION = { ...BY_OPERATOR, roles: TO_ADMINISTER, tag: 'Operator' } as const;
const REFUSALS = ['validation_failed', 'state_conflict'];

export const OPERATOR_TOKEN_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...OPERATION,
    id: 'listOperatorTokens',
    method: 'GET',
    path: '/admin/v1/operator-tokens',
    summary: 'Operator tokens',
    description:
      'Every token that this installation ever had, newest first; the last one is that of the first start. Never the tokens themselves.',
    query: ListQuery,
    answers: [
      {
        status: 200,
        description: 'A page of tokens.',
        contract: OperatorTokenListDto,
        example: { data: [TOKEN], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...OPERATION,
    id: 'issueOperatorToken',
    method: 'POST',
    path: '/admin/v1/operator-tokens',
    bodyLimit: 4 * KB,
    summary: 'Issue an operator token',
    description:
      'For one person or program, so that each action names who did it. It needs roles, and ends after 90 days unless `expiresAt` says otherwise. Shown in this answer and never again.',
    headers: [LASTING_IDEMPOTENCY],
    body: {
      contract: IssueOperatorTokenDto,
      examples: {
        pipeline: { name: 'deploy pipeline', roles: [{ role: 'EDITOR', site: 'shop', env: 'test' }] },
        emergency: { name: 'emergency', roles: [{ role: 'ADMIN', site: '*', env: '*' }], expiresAt: null },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The token.',
        contract: IssuedOperatorTokenDto,
        example: { ...TOKEN, token: 'op_…' },
        headers: POSITION,
      },
    ],
    refusals: REFUSALS,
  },
  {
    ...OPERATION,
    id: 'rotateOperatorToken',
    method: 'POST',
    path: '/admin/v1/operator-tokens/{id}/rotate',
    bodyLimit: 4 * KB,
    summary: 'Rotate an operator token',
    description:
      'Issues the successor of a token, with its roles and for as long a time again, shown in this answer and never again. The old one works until `overlapEndsAt`.',
    pathParameters: ID,
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: RotateKeyDto, examples: { yearly: { overlap: '24h', reason: 'yearly' } } },
    answers: [
      {
        status: 201,
        description: 'The successor.',
        contract: RotatedOperatorTokenDto,
        example: { ...TOKEN, rotatedFrom: 'opt_first', token: 'op_…', overlapEndsAt: '2026-11-22T12:00:00.000Z' },
        headers: POSITION,
      },
    ],
    refusals: [...REFUSALS, 'operator_token_not_found'],
  },
  {
    ...OPERATION,
    id: 'revokeOperatorToken',
    method: 'POST',
    path: '/admin/v1/operator-tokens/{id}/revoke',
    bodyLimit: 4 * KB,
    summary: 'Revoke an operator token',
    description:
      'Holds on every instance at once. The last token with ADMIN everywhere that works without an end cannot be revoked.',
    pathParameters: ID,
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: RevokeKeyDto, examples: { leaked: { reason: 'leaked' } } },
    answers: [
      {
        status: 200,
        description: 'The token.',
        contract: OperatorTokenDto,
        example: { ...TOKEN, state: 'revoked', revokedAt: AT },
        headers: POSITION,
      },
    ],
    refusals: [...REFUSALS, 'operator_token_not_found'],
  },
];
