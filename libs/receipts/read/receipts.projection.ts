import { defineProjection } from '../../following/projections/projection.js';
import { sameUlid, subjectOfStream, type DomainEvent } from '../../kernel/index.js';

/** All that is looked at in an event: its id, by the name that its context gave it. */
type Receipted =
  | DomainEvent<'PreferenceSet' | 'PreferenceConfirmed', { recordId: string }>
  | DomainEvent<'SubjectErased', { receiptId: string; rootId: string }>;

type ReceiptRow = Readonly<Record<string, unknown>>;

/** Of subjects that were erased together, one receipt stands for all: that of the one who was asked about. */
function receiptIdOf({ type, data }: Receipted, subjectId: string | undefined): string | null {
  if (type !== 'SubjectErased') return sameUlid('rct', data.recordId);
  return data.rootId === subjectId ? data.receiptId : null;
}

/**
 * `read.receipts`: where in the log the event stands that a receipt is made from. Decisions are not here, which are most
 * of what is recorded: `read.consent_decisions` has a row for each of them already.
 */
export const receiptsProjection = defineProjection<ReceiptRow | null, Receipted>({
  name: 'receipts',
  version: 1,
  on: ['PreferenceSet', 'PreferenceConfirmed', 'SubjectErased'],
  streams: ['subject-'],
  keyIsOfStream: true,
  keyIsOfEvent: true,
  key: (event) => receiptIdOf(event, subjectOfStream(event.stream)?.subjectId),
  initial: () => null,
  evolve: (_, event) => {
    const { site, env, subjectId } = subjectOfStream(event.stream)!;
    return {
      receipt_id: receiptIdOf(event, subjectId)!,
      subject_id: subjectId,
      site,
      env,
      revision: BigInt(event.revision),
    };
  },
  rows: (_, row) => (row ? [row] : []),
  load: (_, [row]) => row!,
  table: {
    columns: {
      receipt_id: 'text collate "C" not null',
      subject_id: 'text collate "C" not null',
      site: 'text collate "C" not null',
      env: 'text collate "C" not null',
      revision: 'bigint not null',
    },
    keyColumn: 'receipt_id',
    primaryKey: ['receipt_id'],
  },
});
