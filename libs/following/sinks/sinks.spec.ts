import { createHash } from 'node:crypto';
import type { DomainEvent } from '../../kernel/index.js';
import { Codec, defineEvent } from '../../streams/codec.js';
import { InsertOnceSink } from './insert-once-sink.js';
import { OrderedSink } from './ordered-sink.js';
import type { RecordedEvent } from '../../log/port.js';
import { defineProjection } from '../projections/projection.js';
import { countsTableOf, createTable, tableOf } from '../projections/read-table.js';
import { RowsSink } from './rows-sink.js';
import { Poison } from './sink.js';
import { describeSink } from './sink.contract.js';

type Happened = DomainEvent<'Happened', { number: number }>;

function numberOf(event: Pick<RecordedEvent, 'data'>): number {
  const { number } = event.data as Happened['data'];
  if (number === 13_000) throw new RangeError('thirteen thousand');
  return number;
}

describeSink('rows by key', async ({ database }, serial) => {
  const name = `sums_${serial}`;
  const generation = { version: 1, rebuild: 0 };
  const projection = defineProjection<{ total: number; times: number }, Happened>({
    name,
    version: 1,
    on: ['Happened'],
    streams: [`${name}-`],
    keyIsOfStream: true,
    key: (event) => event.stream,
    initial: () => ({ total: 0, times: 0 }),
    evolve: ({ total, times }, event) => ({ total: total + numberOf(event), times: times + 1 }),
    rows: (stream, { total, times }) => [{ stream, total, times }],
    load: (_, [row]) => ({ total: row!['total'] as number, times: row!['times'] as number }),
    table: {
      columns: { stream: 'text collate "C" not null', total: 'integer not null', times: 'integer not null' },
      keyColumn: 'stream',
      primaryKey: ['stream'],
    },
  });
  await database.run(`create schema if not exists read; ${createTable(projection, generation)}`);
  const codec = new Codec([defineEvent({ type: 'Happened', version: 1, personal: [] })]);
  return {
    name,
    prefix: `${name}-`,
    sinkOf: (own) => new RowsSink({ database: own, codec, projection, generation }),
    written: () => database.run(`select stream, total, times from ${tableOf(name, generation)} order by stream`),
    wanted: (events) => {
      const streams = [...new Set(events.map(({ stream }) => stream))].sort();
      return streams.map((stream) => {
        const own = events.filter((event) => event.stream === stream);
        return { stream, total: own.reduce((sum, event) => sum + numberOf(event), 0), times: own.length };
      });
    },
  };
});

describeSink('counts over keys', async ({ database }, serial) => {
  const name = `tens_${serial}`;
  const generation = { version: 1, rebuild: 0 };
  const ten = (number: number): string => String(number - (number % 10));
  const projection = defineProjection<number | null, Happened>({
    name,
    version: 1,
    on: ['Happened'],
    streams: [`${name}-`],
    keyIsOfStream: true,
    key: (event) => event.stream,
    initial: () => null,
    evolve: (_, event) => numberOf(event),
    rows: (stream, number) => (number === null ? [] : [{ stream, number }]),
    load: (_, [row]) => row!['number'] as number,
    table: {
      columns: { stream: 'text collate "C" not null', number: 'integer not null' },
      keyColumn: 'stream',
      primaryKey: ['stream'],
    },
    counts: {
      cell: { ten: 'text collate "C" not null' },
      of: ['events', 'streams'],
      // Every event counts, and of each stream the last number: the one before it is taken back.
      added: (before, _, after) => [
        { cell: { ten: ten(after!) }, to: 'events', by: 1 },
        { cell: { ten: ten(after!) }, to: 'streams', by: 1 },
        ...(before === null ? [] : [{ cell: { ten: ten(before) }, to: 'streams', by: -1 as const }]),
      ],
    },
  });
  await database.run(`create schema if not exists read; ${createTable(projection, generation)}`);
  const codec = new Codec([defineEvent({ type: 'Happened', version: 1, personal: [] })]);
  return {
    name,
    prefix: `${name}-`,
    sinkOf: (own) => new RowsSink({ database: own, codec, projection, generation }),
    written: () =>
      database.run(
        `select ten, events::int, streams::int from ${countsTableOf(name, generation)} where events <> 0 or streams <> 0 order by ten`,
      ),
    wanted: (events) => {
      const last = new Map(events.map((event) => [event.stream, ten(numberOf(event))]));
      return [...new Set(events.map((event) => ten(numberOf(event))))]
        .sort()
        .map((each) => ({
          ten: each,
          events: events.filter((event) => ten(numberOf(event)) === each).length,
          streams: [...last.values()].filter((of) => of === each).length,
        }));
    },
  };
});

describeSink('a row for each event', async ({ database }, serial) => {
  const name = `numbers_${serial}`;
  const generation = { version: 1, rebuild: 0 };
  const projection = defineProjection<number, Happened>({
    name,
    version: 1,
    on: ['Happened'],
    streams: [`${name}-`],
    keyIsOfEvent: true,
    key: (event) => event.id,
    initial: () => 0,
    evolve: (_, event) => numberOf(event),
    rows: (event, number) => [{ event, number }],
    load: () => {
      throw new Error('no row is read again');
    },
    table: {
      columns: { event: 'text collate "C" not null', number: 'integer not null' },
      keyColumn: 'event',
      primaryKey: ['event'],
    },
  });
  await database.run(`create schema if not exists read; ${createTable(projection, generation)}`);
  const codec = new Codec([defineEvent({ type: 'Happened', version: 1, personal: [] })]);
  return {
    name,
    prefix: `${name}-`,
    sinkOf: (own) => new RowsSink({ database: own, codec, projection, generation }),
    written: async () => {
      const rows = await database.run<{ number: number }>(`select number from ${tableOf(name, generation)}`);
      return rows.map(({ number }) => number).sort((a, b) => a - b);
    },
    wanted: (events) => events.map(numberOf).sort((a, b) => a - b),
  };
});

describeSink('rows inserted once', async ({ database }, serial) => {
  const name = `deliveries_${serial}`;
  await database.run(
    `create table public.${name} (event uuid primary key, number integer not null, attempts integer not null default 0)`,
  );
  return {
    name,
    prefix: `${name}-`,
    sinkOf: () =>
      new InsertOnceSink({
        table: `public.${name}`,
        columns: { event: 'uuid not null', number: 'integer not null' },
        rows: (event) => (numberOf(event) % 2 === 0 ? [{ event: event.id, number: numberOf(event) }] : []),
      }),
    written: async () =>
      (await database.run<{ number: number }>(`select number from public.${name} order by number`)).map(
        (r) => r.number,
      ),
    wanted: (events) => events.map(numberOf).filter((number) => number % 2 === 0),
  };
});

/** A chain: each entry is the hash of the one before it and of its event. */
const link = (before: string, number: number): string =>
  createHash('sha256').update(`${before}${number}`).digest('hex').slice(0, 16);

describeSink('one ordered writer', async ({ database }, serial) => {
  const name = `ledger_${serial}`;
  await database.run(`create table public.${name} (size integer primary key, hash text not null)`);
  interface End {
    size: number;
    hash: string;
  }
  return {
    name,
    prefix: `${name}-`,
    sinkOf: (own) =>
      new OrderedSink<End>({
        load: async () =>
          (await own.run<End>(`select size, hash from public.${name} order by size desc limit 1`))[0] ?? {
            size: 0,
            hash: '',
          },
        step: (end, events) => {
          const entries: End[] = [];
          for (const event of events) {
            const last = entries.at(-1) ?? end;
            try {
              entries.push({ size: last.size + 1, hash: link(last.hash, numberOf(event)) });
            } catch (cause) {
              throw new Poison(event.position, { cause });
            }
          }
          const values = [entries.map(({ size }) => size), entries.map(({ hash }) => hash)];
          return { state: entries.at(-1) ?? end, events: events.length, values: events.length > 0 ? values : null };
        },
        write: {
          name: `write-${name}`,
          text: `insert into public.${name} (size, hash) select * from unnest($1::int[], $2::text[])`,
        },
      }),
    written: () => database.run(`select size, hash from public.${name} order by size`),
    wanted: (events) => {
      let hash = '';
      return events.map((event, i) => ({ size: i + 1, hash: (hash = link(hash, numberOf(event))) }));
    },
  };
});
