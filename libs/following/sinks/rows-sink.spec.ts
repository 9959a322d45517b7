import { jest } from '@jest/globals';
import type { DomainEvent, Position } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';
import { Codec, defineEvent } from '../../streams/codec.js';
import type { RecordedEvent } from '../../log/port.js';
import { defineProjection, type Projection } from '../projections/projection.js';
import { RowsSink } from './rows-sink.js';

type Counted = DomainEvent<'Counted', { n: number }>;

const codec = new Codec([defineEvent({ type: 'Counted', version: 1, personal: [] })]);

const counted = (stream: string, revision: number): RecordedEvent => ({
  stream,
  revision,
  position: BigInt(revision) as Position,
  id: `${stream}/${revision}`,
  type: 'Counted',
  data: { n: 1 },
  metadata: { schemaVersion: 1, actor: 'system:test', recordedAt: '2026-01-01T00:00:00.000Z' },
});

const projection = (how: Pick<Projection<number>, 'keyIsOfStream' | 'keyIsOfEvent'>): Projection<number, Counted> =>
  defineProjection<number, Counted>({
    name: 'counts',
    version: 1,
    on: ['Counted'],
    streams: ['a-'],
    ...how,
    key: (event) => (how.keyIsOfEvent ? event.id : event.stream),
    initial: () => 0,
    evolve: (count, { data }) => count + data.n,
    rows: (key, count) => [{ key, count }],
    load: (_, [row]) => row!['count'] as number,
    table: { columns: { key: 'text not null', count: 'integer not null' }, keyColumn: 'key', primaryKey: ['key'] },
  });

/** Which keys a sink asked the database for. */
async function askedFor(of: Projection<number, Counted>, ...batches: RecordedEvent[][]): Promise<unknown[]> {
  const query = jest.fn(async (_: unknown, [keys]: readonly unknown[]) =>
    (keys as string[]).map((key) => ({ key, count: 7 })),
  );
  const database = { query } as unknown as Database;
  const sink = new RowsSink({ database, codec, projection: of, generation: { version: 1, rebuild: 0 } });
  for (const batch of batches) await sink.prepare(batch);
  return query.mock.calls.map(([, [keys]]) => keys);
}

describe('which rows are read before events are folded', () => {
  const begun = [counted('a-new', 0), counted('a-old', 3), counted('a-new', 1)];

  it('those of streams that did not begin just now, where keys stand in one stream', async () => {
    expect(await askedFor(projection({ keyIsOfStream: true }), begun)).toEqual([['a-old']]);
  });

  it('none that is known from a batch before', async () => {
    expect(await askedFor(projection({ keyIsOfStream: true }), begun, [counted('a-new', 2)])).toEqual([['a-old']]);
  });

  it('all of them where a key may stand in several streams', async () => {
    expect(await askedFor(projection({}), begun)).toEqual([['a-new', 'a-old']]);
  });

  it('none where each event has its own', async () => {
    expect(await askedFor(projection({ keyIsOfEvent: true }), begun)).toEqual([]);
  });
});
