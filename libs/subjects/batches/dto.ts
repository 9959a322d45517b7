import { MB, type OperationDeclaration } from '../../access/index.js';
import { ListOf, Nested, OneOf, Text, Whole } from '../../http/contract/fields.js';
import type { Contract } from '../../http/contract/operation.js';
import { MOST_ITEMS } from '../../commands/item-keys.js';
import { BATCH_MODES, type BatchMode } from '../events.js';

// What the declarations of every batch share, whatever its records are.

/** The rules of the body. `item`: one record with its idempotencyKey. */
export const batchRules = (item: Contract) =>
  ({
    subject: { in: 'batch', list: 'records', name: 'subject' },
    bodyLimit: 2 * MB,
    tooLarge: 'batch_too_large',
    judgedByItem: { list: 'records', contract: item, applies: ({ mode }) => mode !== 'ATOMIC' },
    oversized: (input) =>
      ((input as { records?: readonly unknown[] } | null)?.records?.length ?? 0) > MOST_ITEMS
        ? `Send at most ${MOST_ITEMS} records in one batch, and the others in further ones.`
        : null,
  }) satisfies Partial<OperationDeclaration>;

export const BATCH_DESCRIPTION =
  'Records of one subject are appended together or not at all, in their order. Whether each item was recorded is in its result; the call itself answers 200. With PARTIAL any fault of one item, its shape included, makes that item REJECTED, with `issues` inside it; 422 only where something around the items is wrong. ATOMIC is all-or-nothing as to validation across subjects, and atomic per subject as to the append. A retry after a crash goes on item by item; a retry after an answer gives that answer again. A batch of which nothing was recorded is not remembered. A retry of a batch about one subject who was erased since is refused whole. A dry run records nothing; an item that was recorded before under its own key is REPLAYED with its record, so sending an import once more as dry runs shows whether all of it arrived.';

export const BATCH_ANSWER = {
  status: 200,
  description: 'One result for each record.',
  headers: {
    'X-Log-Position': 'Position of the last record in the log; absent where nothing was recorded.',
    'Idempotent-Replayed': '`true` where this is the first answer again.',
  },
} as const;

export const BATCH_REFUSALS = [
  'validation_failed',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'subject_erased',
  'batch_too_large',
] as const;

export const ITEM_KEY = {
  description: 'Idempotency key of this item alone. Default: derived from the key of the batch and the place in it.',
  example: 'import-17-row-4',
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  patternHint: 'visible ASCII',
  optional: true,
} as const;

export const RECORDS = {
  description:
    'The records. Those of one subject are appended together or not at all. With PARTIAL one that does not fit is refused by itself.',
  minItems: 1,
  maxItems: MOST_ITEMS,
} as const;

export const BATCH_MODE = {
  description:
    'PARTIAL records what it can. ATOMIC validates every record first and appends nothing if one is refused; the append itself is atomic per subject.',
  example: 'PARTIAL',
  default: 'PARTIAL',
  optional: true,
} as const;

export const DRY_RUN = {
  description:
    'Validate and answer as if, without recording. An item whose own key was answered before is REPLAYED with its record.',
  example: false,
  default: false,
  optional: true,
} as const;

export const RESULTS = {
  description: 'One result for each record, in the order of the input.',
  maxItems: MOST_ITEMS,
} as const;

export class IssueDto {
  @Text({ description: 'Place in the input.', example: 'records[3].purpose', maxLength: 200, minLength: 0 })
  path!: string;
  @Text({ description: 'What is wrong there.', example: 'is not a published purpose', maxLength: 500 })
  message!: string;
}

export class ItemErrorDto {
  @Text({ description: 'Error code.', example: 'purpose_unknown', maxLength: 60 }) code!: string;
  @Text({ description: 'What is wrong.', example: 'No purpose with that key is published.', maxLength: 500 })
  message!: string;
  @Text({ description: 'How to fix it.', example: 'List the published keys with GET /v1/purposes.', maxLength: 500 })
  hint!: string;
  @ListOf(() => IssueDto, { description: 'The places.', maxItems: 20 }) issues!: IssueDto[];
}

export const ITEM_STATUSES = ['RECORDED', 'REPLAYED', 'REJECTED', 'NOT_APPLIED'] as const;

export class ItemResultDto {
  @Whole({ description: 'Place in the input.', example: 0 }) index!: number;
  @OneOf(ITEM_STATUSES, {
    description:
      'RECORDED; REPLAYED: its own idempotency key was answered before; REJECTED: see error; NOT_APPLIED: valid, but nothing was recorded (dry run, or ATOMIC with a rejected item).',
    example: 'RECORDED',
  })
  status!: (typeof ITEM_STATUSES)[number];
  @Nested(() => ItemErrorDto, { description: 'Why it was rejected.', optional: true }) error?: ItemErrorDto;
}

export class BatchSummaryDto {
  @Whole({ description: 'Items sent.', example: 2 }) total!: number;
  @Whole({ description: 'Items recorded now.', example: 2 }) recorded!: number;
  @Whole({ description: 'Items recorded before under their own key.', example: 0 }) replayed!: number;
  @Whole({ description: 'Items refused.', example: 0 }) rejected!: number;
}

export class BatchOutcomeDto {
  @OneOf(['batch_result'], { description: 'What this is.', example: 'batch_result' }) object!: string;
  @OneOf(BATCH_MODES, { description: 'The mode that was applied.', example: 'PARTIAL' }) mode!: BatchMode;
  @Nested(() => BatchSummaryDto, { description: 'Counts.' }) summary!: BatchSummaryDto;
}
