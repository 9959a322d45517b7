import { Flag, ListOf, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { ONE_LINE, ONE_LINE_HINT } from '../../kernel/index.js';
import { SESSIONS_SHOWN_MAX } from '../operators/session-rows.js';
import { OPERATOR_ROLES_MAX, OperatorRoleDto } from './operator-tokens.dto.js';

export class OperatorDto {
  @Text({
    description: 'Id; operator actions name it. A program has the id of its token.',
    example: 'opt_4Zt8nXq2LmPa',
    maxLength: 40,
  })
  id!: string;
  @OneOf(['PERSON', 'PROGRAM'], { description: 'What it is.', example: 'PROGRAM' }) kind!: 'PERSON' | 'PROGRAM';
  @Text({ description: 'Name for people.', example: 'deploy pipeline', maxLength: 200, nullable: true })
  name!: string | null;
  @Text({
    description: 'E-mail address of a person, where it is known.',
    maxLength: 320,
    example: null,
    nullable: true,
  })
  email!: string | null;
  @OneOf(['TOKEN', 'OIDC'], { description: 'How it proves to be it.', example: 'TOKEN' }) source!: 'TOKEN' | 'OIDC';
  @ListOf(() => OperatorRoleDto, {
    description: 'What it may do, and where; of a person as of the last sign-in.',
    maxItems: OPERATOR_ROLES_MAX,
  })
  roles!: OperatorRoleDto[];
  @OneOf(['ACTIVE', 'ENDED'], { description: 'Whether it can act.', example: 'ACTIVE' }) state!: 'ACTIVE' | 'ENDED';
  @Timestamp({ description: 'The hour in which it last acted; null: never.', nullable: true }) lastSeenAt!:
    string | null;
  @Timestamp({ description: 'Since when it is there; null of the first token.', nullable: true })
  createdAt!: string | null;
  @Text({
    description: 'Who made it; null of the first token, and of persons.',
    example: 'operator:opt_first',
    maxLength: 100,
    nullable: true,
  })
  createdBy!: string | null;
}

export class OperatorListDto {
  @ListOf(() => OperatorDto, { description: 'Newest first.', maxItems: 200 }) data!: OperatorDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}

/** A field that is left out keeps its value. */
export class ChangeOperatorDto {
  @Text({
    description: 'Name for people.',
    example: 'deploy pipeline',
    maxLength: 100,
    pattern: ONE_LINE.source,
    patternHint: ONE_LINE_HINT,
    optional: true,
  })
  name?: string;
  @ListOf(() => OperatorRoleDto, {
    description: 'All of its roles from now on.',
    minItems: 1,
    maxItems: OPERATOR_ROLES_MAX,
    optional: true,
  })
  roles?: OperatorRoleDto[];
}

export class OperatorSessionDto {
  @Text({ description: 'Id of the session.', example: 'ses_9f86d081884c7d659a2feaa0c55ad015', maxLength: 40 })
  id!: string;
  @Timestamp({ description: 'When the operator signed in.' }) beganAt!: string;
  @Timestamp({ description: 'Last request, to the minute.' }) lastSeenAt!: string;
  @Timestamp({ description: 'When it ends, however busy it is.' }) endsAt!: string;
  @Flag({ description: 'Whether it is the session of this request.', example: true }) current!: boolean;
}

export class OperatorSessionListDto {
  @ListOf(() => OperatorSessionDto, { description: 'Newest first.', maxItems: SESSIONS_SHOWN_MAX })
  data!: OperatorSessionDto[];
}

export class EndedSessionsDto {
  @Whole({ description: 'How many sessions were ended.', example: 2, min: 0 }) ended!: number;
}
