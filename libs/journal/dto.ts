import { JOURNAL_ACTIONS, JOURNAL_TARGETS } from '../context/journal.js';
import { Flag, FreeObject, ListOf, Nested, OneOf, Text, Timestamp } from '../http/contract/fields.js';
import { ListQuery } from '../http/list.js';
import { ENVIRONMENTS } from '../kernel/index.js';

const OPERATOR = { example: 'opt_4Zt8nXq2LmPa', maxLength: 200 } as const;
const SITE = { example: 'shop', maxLength: 40 } as const;

export class JournalQuery extends ListQuery {
  @Text({
    description: 'Only what this operator did: the id of a token or of a person, or `<user>@<host>` of a command.',
    ...OPERATOR,
    optional: true,
  })
  operator?: string;
  @Text({ description: 'Only what concerns this site.', ...SITE, optional: true }) site?: string;
  @OneOf(ENVIRONMENTS, {
    description: 'Only what concerns this environment of a site. What concerns a site as a whole is among it.',
    example: 'live',
    optional: true,
  })
  env?: string;
  @OneOf(JOURNAL_ACTIONS, { description: 'Only this action.', example: 'subject_erased', optional: true })
  action?: string;
  @Timestamp({ description: 'Done at or after.', optional: true }) from?: string;
  @Timestamp({ description: 'Done before.', optional: true }) to?: string;
}

export class JournalOperatorDto {
  @Text({
    description:
      'Id of a token or of a person; `<user>@<host>` of a command at the machine, as the account there is named.',
    ...OPERATOR,
  })
  id!: string;
  @Text({
    description: 'Name of a program today; null: of persons the service keeps no name.',
    example: 'deploy pipeline',
    maxLength: 200,
    nullable: true,
  })
  name!: string | null;
}

export class JournalTargetDto {
  @OneOf(JOURNAL_TARGETS, { description: 'What it is.', example: 'API_KEY' }) type!: string;
  @Text({
    description: 'Its id; null: there is one of it at the place.',
    example: 'key_4Zt8nXq2LmPa',
    maxLength: 200,
    nullable: true,
  })
  id!: string | null;
}

const SHOWN = { maxKeys: 50, maxBytes: 200_000, depth: 12, nullable: true } as const;

export class JournalEntryDto {
  @Text({
    description: 'Id of the entry: the same at every read.',
    example: '0b62f6de-3d6b-4a58-9a53-0c6e63e6e1ea',
    maxLength: 300,
  })
  id!: string;
  @Timestamp({
    description:
      'When it was done, by the clock of the process that did it. Looks and refused sign-ins are counted by the hour: the first of them.',
  })
  at!: string;
  @Nested(() => JournalOperatorDto, {
    description: 'Who did it; null: not known, as with a refused token.',
    nullable: true,
  })
  operator!: JournalOperatorDto | null;
  @OneOf(JOURNAL_ACTIONS, { description: 'What was done.', example: 'api_key_issued' }) action!: string;
  @Text({ description: 'The site that it concerns; null: the installation.', ...SITE, nullable: true })
  site!: string | null;
  @OneOf(ENVIRONMENTS, { description: 'The environment; null: both.', example: 'live', nullable: true })
  env!: string | null;
  @Nested(() => JournalTargetDto, { description: 'To what it was done; null: to nothing.', nullable: true })
  target!: JournalTargetDto | null;
  @Text({ description: 'What was done, in a few English words.', example: 'Secret key issued', maxLength: 1000 })
  summary!: string;
  @Text({
    description:
      'Why, as the operator said it; null: no reason was given, or it is sealed with the key of the person it is about.',
    example: null,
    maxLength: 2000,
    nullable: true,
  })
  reason!: string | null;
  @FreeObject({
    description:
      'What was before. Null where the record of the change does not hold it, which is nearly always: the entry before of the same target has it.',
    example: null,
    ...SHOWN,
  })
  before!: object | null;
  @FreeObject({
    description:
      'What was set, as far as it is neither secret nor personal: only what changed. Members follow from the action. Null where there is nothing to say.',
    example: { type: 'sk', scopes: ['consent:write'], allowedOrigins: null, name: 'shop backend', expiresAt: null },
    ...SHOWN,
  })
  after!: object | null;
  @Text({
    description: 'The session in a browser; null: a token was sent, or it was a command.',
    example: null,
    maxLength: 40,
    nullable: true,
  })
  session!: string | null;
  @Text({
    description: 'Id of the request, as in `X-Request-Id`; null: none is known.',
    example: 'req_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 64,
    nullable: true,
  })
  requestId!: string | null;
}

export class JournalDto {
  @ListOf(() => JournalEntryDto, { description: 'Newest first.', maxItems: 200 }) data!: JournalEntryDto[];
  @Text({ description: 'Cursor of the next page.', example: null, maxLength: 1000, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether more may follow.', example: false }) hasMore!: boolean;
}
