import { Flag, ListOf, OneOf, Text, Timestamp } from '../../http/contract/fields.js';
import { ROLES, type Role } from '../../context/roles.js';
import { ENVIRONMENTS, ONE_LINE, ONE_LINE_HINT, SITE_PATTERN, type Environment } from '../../kernel/index.js';
import { TOKEN_DAYS } from '../operators/operator-token-state.js';
import { KEY_CONDITIONS } from '../state.js';

const ROLE_ENVIRONMENTS = [...ENVIRONMENTS, '*'] as const;
const LINE = { pattern: ONE_LINE.source, patternHint: ONE_LINE_HINT } as const;

/** Most roles of one operator. */
export const OPERATOR_ROLES_MAX = 50;

export class OperatorRoleDto {
  @OneOf(ROLES, { description: 'Role; `GET /admin/v1/roles` says what each may do.', example: 'PRIVACY' }) role!: Role;
  @Text({
    description: 'Name of a site, which need not be registered yet, or `*`: every site.',
    example: 'shop',
    maxLength: 40,
    pattern: `^\\*$|${SITE_PATTERN.source}`,
    patternHint: 'a name of a site, or *',
  })
  site!: string;
  @OneOf(ROLE_ENVIRONMENTS, { description: '`test`, `live`, or `*`: both.', example: '*' }) env!: Environment | '*';
}

export class IssueOperatorTokenDto {
  @Text({ description: 'Who or what uses it.', example: 'deploy pipeline', maxLength: 100, ...LINE }) name!: string;
  @ListOf(() => OperatorRoleDto, {
    description: 'What it may do, and where. Required: a token without roles could do nothing.',
    minItems: 1,
    maxItems: OPERATOR_ROLES_MAX,
  })
  roles!: OperatorRoleDto[];
  @Timestamp({
    description: `When it stops working. Default: after ${TOKEN_DAYS} days. Null: never, for a token with the role ADMIN only.`,
    optional: true,
    nullable: true,
  })
  expiresAt?: string | null;
}

export class OperatorTokenDto {
  @Text({ description: 'Id of the token; operator actions name it.', example: 'opt_4Zt8nXq2LmPa', maxLength: 20 })
  id!: string;
  @Text({ description: 'Who or what uses it.', example: 'deploy pipeline', maxLength: 100 }) name!: string;
  @Text({
    description: 'Last characters of the token; null of the one of the first start, of which nothing is stored.',
    example: 'x9Qz',
    maxLength: 4,
    nullable: true,
  })
  last4!: string | null;
  @OneOf(KEY_CONDITIONS, { description: 'Whether it works.', example: 'live' }) state!: string;
  @Timestamp({ description: 'When it was issued; null of the one of the first start.', nullable: true })
  createdAt!: string | null;
  @Text({
    description: 'Who issued it; null of the one of the first start.',
    example: 'operator:opt_first',
    maxLength: 100,
    nullable: true,
  })
  createdBy!: string | null;
  @ListOf(() => OperatorRoleDto, { description: 'What it may do, and where.', maxItems: OPERATOR_ROLES_MAX })
  roles!: OperatorRoleDto[];
  @Timestamp({ description: 'When it stops working, by its term or because it was rotated.', nullable: true })
  expiresAt!: string | null;
  @Text({ description: 'Id of the token that it took over from.', example: null, maxLength: 20, nullable: true })
  rotatedFrom!: string | null;
  @Text({ description: 'Id of the token that took over.', example: null, maxLength: 20, nullable: true }) replacedBy!:
    string | null;
  @Timestamp({ description: 'When it was revoked.', nullable: true }) revokedAt!: string | null;
}

export class IssuedOperatorTokenDto extends OperatorTokenDto {
  @Text({ description: 'The token itself. Shown this once.', example: 'op_…', maxLength: 80 }) token!: string;
}

export class RotatedOperatorTokenDto extends IssuedOperatorTokenDto {
  @Timestamp({ description: 'When the old token stops working.' }) overlapEndsAt!: string;
}

export class OperatorTokenListDto {
  @ListOf(() => OperatorTokenDto, { description: 'Newest first.', maxItems: 200 }) data!: OperatorTokenDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}
