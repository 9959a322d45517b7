import { ByteWriter, parquetWriteRows } from 'hyparquet-writer';
import type { PublishedColumnType, PublishedView } from '../event-log/published-views.js';
import type { Row } from '../event-log/projection.js';

/** Rows that are encoded together, and all that are in memory at once (some 20 MB). */
const ROW_GROUP = 20_000;

const TYPES = {
  text: 'STRING',
  boolean: 'BOOLEAN',
  integer: 'INT32',
  bigint: 'INT64',
  timestamptz: 'TIMESTAMP',
} as const satisfies Record<PublishedColumnType, string>;

/** Writes rows as one Parquet file, compressed by Snappy. Every column can be null; times are UTC, in milliseconds. */
export async function writeParquet(
  { columns }: Pick<PublishedView, 'columns'>,
  rows: AsyncIterable<Row>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const buffer = new ByteWriter();
  // Hands on what was encoded after each group of rows, and begins the buffer anew.
  const flush = async (): Promise<void> => {
    await write(new Uint8Array(buffer.buffer, 0, buffer.index));
    buffer.index = 0;
  };
  await parquetWriteRows({
    writer: Object.assign(buffer, { flush, finish: flush }),
    rows,
    columns: Object.entries(columns).map(([name, { type }]) => ({ name, type: TYPES[type], nullable: true })),
    rowGroupSize: ROW_GROUP,
    createdBy: 'assent',
  });
}
