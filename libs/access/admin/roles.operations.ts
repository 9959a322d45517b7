import { BY_OPERATOR, type OperationDeclaration } from '../../context/operations.js';
import { ROLES, TO_LOOK, type Role } from '../../context/roles.js';
import { ListOf, OneOf, Text } from '../../http/contract/fields.js';

const OPERATION_ID = { maxLength: 100 } as const;

export class RoleDto {
  @OneOf(ROLES, { description: 'Name of the role.', example: 'VIEWER' }) role!: Role;
  @Text({ description: 'What it is for.', example: 'Looks at statistics and health.', maxLength: 400 })
  description!: string;
  @ListOf(() => 'string', {
    description: 'Ids of the operations that it may call, as in `operationId`.',
    example: ['listSites'],
    maxItems: 1_000,
    of: OPERATION_ID,
  })
  operations!: string[];
  @ListOf(() => 'string', {
    description: 'Ids of the operations that it may call in `test` only.',
    example: ['issueKey'],
    maxItems: 1_000,
    of: OPERATION_ID,
  })
  operationsInTest!: string[];
}

export class RoleListDto {
  @ListOf(() => RoleDto, { description: 'Every role.', maxItems: ROLES.length }) data!: RoleDto[];
}

export const ROLE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'listRoles',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/roles',
    tag: 'Operator',
    summary: 'What each role may do',
    description:
      'A role is a list of operations. An operator has roles for sites and environments, each `*` or one of them. Each operation lists its roles as `x-roles`.',
    answers: [
      {
        status: 200,
        description: 'The roles.',
        contract: RoleListDto,
        example: {
          data: [
            {
              role: 'DEVELOPER',
              description: 'Changes keys and webhooks of `test`, and looks at those of `live`.',
              operations: ['listSites', 'listKeys'],
              operationsInTest: ['issueKey'],
            },
          ],
        },
      },
    ],
    refusals: [],
  },
];
