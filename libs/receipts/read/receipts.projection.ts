import type { SubjectTimeline } from '../../context/subject-timeline.js';
import { defineProjection } from '../../following/projections/projection.js';
import { subjectOfStream, type DomainEvent } from '../../kernel/index.js';

type ReceiptRow = Readonly<Record<string, unknown>>;

/** What an index of receipts is called, for those who look something up in it. */
export const RECEIPT_ROWS = { name: 'receipts', table: { keyColumn: 'receipt_id' } } as const;

/**
 * `read.receipts`: where in the log the event stands that a receipt is made from. Types whose context has an index of its own are
 * not here: `read.consent_decisions` has a row for each decision already, which is most of what is recorded.
 */
export function receiptsProjection({ receipted }: Pick<SubjectTimeline, 'receipted'>) {
  const types = receipted.filter(({ receipt }) => !receipt.hasOwnIndex);
  const receiptIdOf = ({ type, data }: DomainEvent, subjectId: string | undefined): string | null =>
    subjectId === undefined ? null : types.find((each) => each.type === type)!.receipt.id(data, subjectId);
  return defineProjection<ReceiptRow | null, DomainEvent>({
    name: RECEIPT_ROWS.name,
    version: 1,
    on: types.map(({ type }) => type),
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
      keyColumn: RECEIPT_ROWS.table.keyColumn,
      primaryKey: [RECEIPT_ROWS.table.keyColumn],
    },
  });
}
