import { BY_ANYBODY, BY_OPERATOR, KB, type OperationDeclaration } from '../../context/operations.js';
import { TO_LOOK } from '../../context/roles.js';
import { ENVIRONMENTS } from '../../kernel/index.js';
import { ListOf, Nested, OneOf, Text, Timestamp } from '../../http/contract/fields.js';
import { OPERATOR_ROLES_MAX, OperatorRoleDto } from './operator-tokens.dto.js';

export class SignInDto {
  @Text({ description: 'The operator token.', example: 'op_…', maxLength: 200 }) token!: string;
}

export class SignedInOperatorDto {
  @Text({ description: 'Id of the operator; actions name it.', example: 'opt_4Zt8nXq2LmPa', maxLength: 40 })
  id!: string;
  @Text({ description: 'Name for people.', example: 'Ada', maxLength: 200, nullable: true }) name!: string | null;
}

export class MayDto {
  @Text({ description: 'Name of a site, or `*`: every site.', example: 'shop', maxLength: 40 }) site!: string;
  @OneOf(ENVIRONMENTS, { description: 'Environment.', example: 'live' }) env!: string;
  @ListOf(() => 'string', {
    description: 'Ids of the operations that the operator may call there.',
    example: ['listSites'],
    maxItems: 1_000,
    of: { maxLength: 100 },
  })
  operations!: string[];
}

export class SessionDto {
  @Nested(() => SignedInOperatorDto, { description: 'Who is signed in.' }) operator!: SignedInOperatorDto;
  @ListOf(() => OperatorRoleDto, { description: 'What the operator is, and where.', maxItems: OPERATOR_ROLES_MAX })
  roles!: OperatorRoleDto[];
  @ListOf(() => MayDto, {
    description: 'What the operator may do, by site and environment.',
    maxItems: OPERATOR_ROLES_MAX * ENVIRONMENTS.length,
  })
  may!: MayDto[];
  @Timestamp({
    description: 'When the session ends, however busy it is; null where a token was sent instead of a session.',
    nullable: true,
  })
  endsAt!: string | null;
}

const COOKIE = { 'Set-Cookie': 'The session. Scripts cannot read it.' };
const PATH = '/admin/v1/session';
const TAG = 'Operator';

export const SESSION_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANYBODY,
    id: 'signIn',
    method: 'POST',
    path: PATH,
    bodyLimit: 4 * KB,
    tag: TAG,
    summary: 'Sign in',
    description:
      'Begins a session of the console in a browser, with an operator token. Only pages of the service may call it. The session counts on `/admin/v1` only, and only for requests from pages of the service with the header `Assent-Console: 1`. It ends after 8 hours, after 30 minutes without a request, by signing out, and with the token.',
    body: { contract: SignInDto, examples: { token: { token: 'op_…' } } },
    answers: [{ status: 204, description: 'Signed in.', headers: COOKIE }],
    refusals: ['api_key_invalid', 'origin_not_allowed'],
  },
  {
    ...BY_ANYBODY,
    id: 'lookAround',
    method: 'POST',
    path: `${PATH}/demo`,
    tag: TAG,
    summary: 'Look around in the demo',
    description:
      'Begins a session with the role `ADMIN` in `test` of the demo site, without a token. Only a demo on its own machine offers that, where it offers its keys at `/docs`, and only to its own pages.',
    answers: [{ status: 204, description: 'Signed in.', headers: COOKIE }],
    refusals: ['route_not_found', 'origin_not_allowed'],
  },
  {
    ...BY_OPERATOR,
    id: 'getSession',
    roles: TO_LOOK,
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'Who is signed in',
    description: 'The operator of the session, or of the token that was sent, and what the operator may do.',
    answers: [
      {
        status: 200,
        description: 'The session.',
        contract: SessionDto,
        example: {
          operator: { id: 'opt_4Zt8nXq2LmPa', name: 'deploy pipeline' },
          roles: [{ role: 'VIEWER', site: 'shop', env: 'live' }],
          may: [{ site: 'shop', env: 'live', operations: ['listSites', 'getSession'] }],
          endsAt: '2026-11-21T20:00:00.000Z',
        },
      },
    ],
    refusals: [],
  },
  {
    ...BY_OPERATOR,
    id: 'signOut',
    roles: TO_LOOK,
    anywhere: true,
    method: 'DELETE',
    path: PATH,
    tag: TAG,
    summary: 'Sign out',
    description: 'Ends the session at once on every instance, for every copy of its cookie.',
    answers: [{ status: 204, description: 'Signed out.', headers: { 'Set-Cookie': 'Removes the cookie.' } }],
    refusals: [],
  },
];
