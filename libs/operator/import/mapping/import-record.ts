import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../kernel/index.js';
import { RowFault } from './row-fault.js';

export type RecordKind = 'consent' | 'preference';

/** A record as it is sent. */
export interface ImportRecord {
  kind: RecordKind;
  /** Normalised reference: two spellings of a person are one. */
  subject: string;
  /** Body of an item of a batch, `idempotencyKey` included. */
  body: Readonly<Record<string, unknown>>;
  /** Bytes of the body, nearly. */
  bytes: number;
  /** For the report: purpose and decision, or the field and what was wanted. */
  about: string;
  decision: string;
}

/**
 * The key is a digest of the record itself, so the same record is recorded once, whatever file it comes in: the same
 * file again, renamed, packed, in another order, with mended rows, or a later export that begins with the same rows.
 * A key of the file and the row number would record all rows twice where one of them was mended. Rows that are equal in
 * everything, `row_id` included, are one record.
 */
export function withKey(
  kind: RecordKind,
  record: Readonly<Record<string, unknown>>,
): Pick<ImportRecord, 'body' | 'bytes'> {
  let text: string;
  try {
    text = canonicalJson(record);
  } catch {
    throw new RowFault('text_broken', 'holds half of a character (a lone surrogate): mend the text');
  }
  const digest = createHash('sha256').update(`${kind} ${text}`).digest('base64url');
  return { body: { ...record, idempotencyKey: `import-${digest}` }, bytes: Buffer.byteLength(text) + 100 };
}
