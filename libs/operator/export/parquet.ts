import { ByteWriter, parquetWriteRows, type SchemaElement } from 'hyparquet-writer';
import type { PublishedColumnType, PublishedView } from '../../following/projections/published-views.js';
import type { Row } from '../../following/projections/projection.js';

/** Rows that are encoded together, and all that are in memory at once (some 20 MB). */
const ROW_GROUP = 20_000;

type Column = Omit<SchemaElement, 'name' | 'repetition_type'>;

/** Types of the format. A time is an instant of UTC, not a local time. */
const TYPES: Readonly<Record<PublishedColumnType, Column>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT32' },
  bigint: { type: 'INT64' },
  timestamptz: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** Writes rows as one Parquet file, compressed by Snappy. Every column can be null; times are instants in milliseconds. */
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
    columns: Object.keys(columns).map((name) => ({ name })),
    schema: [
      { name: 'root', num_children: Object.keys(columns).length },
      ...Object.entries(columns).map(([name, { type }]): SchemaElement => ({
        name,
        ...TYPES[type],
        repetition_type: 'OPTIONAL',
      })),
    ],
    rowGroupSize: ROW_GROUP,
    createdBy: 'assent',
  });
}
