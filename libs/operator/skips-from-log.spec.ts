import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { PostgresEventLog } from '../log/adapters/postgres/postgres.js';
import { Codec } from '../streams/codec.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM } from '../log/port.js';
import { notedSkips } from '../following/skipped-events.js';
import { OPERATIONS_EVENTS } from './events.js';
import { skipsFromLog } from './skips-from-log.js';

const codec = new Codec(OPERATIONS_EVENTS);
let world: LogDatabase;
let log: PostgresEventLog;

beforeAll(async () => {
  world = await startLogDatabase();
  log = new PostgresEventLog(world.database);
});
afterAll(async () => {
  await log.close();
  await world.stop();
});

const UNREADABLE = 'UnreadableEvent: Unheard: this type of event is not known';
const skipped = (position: string, error: string | null, everywhere: boolean, projection = 'consent_state') =>
  anEvent('ProjectionSkipped', {
    by: { user: 'ada', host: 'ops-1' },
    projection,
    position,
    error,
    eventType: 'Unheard',
    everywhere,
  });

it('what operators left out comes back from the log where the table was lost, with what each skip meant', async () => {
  await log.append('operations', NO_STREAM, [
    skipped('7', UNREADABLE, true),
    anEvent('AuditExported'),
    skipped('8', 'RangeError', false),
    skipped('9', UNREADABLE, true),
    skipped('10', 'RangeError', false),
    skipped('11', 'RangeError', false),
    skipped('11', null, true),
  ]);
  // The skip itself had written one of them already, for one projection alone.
  await world.database.run(
    `insert into projection.skipped_events (projection, position, skipped_by) values ('consent_state', 7, 'ada@ops-1')`,
  );
  await skipsFromLog(log, codec, world.database);
  await skipsFromLog(log, codec, world.database);
  const noted = await notedSkips(world.database);
  const positions = [7n, 8n, 9n, 10n, 11n];
  expect(positions.filter((position) => noted.has(position, 'consent_state'))).toEqual(positions);
  expect(positions.filter((position) => noted.has(position))).toEqual([7n, 9n, 11n]);
});

it('so does what they left out after more events than one page of the log holds', async () => {
  const [last] = await log.read('operations', { direction: 'backwards', limit: 1 });
  const notes = Array.from({ length: 1_001 }, (_, i) =>
    skipped(String(1_000 + i), UNREADABLE, true, 'consent_history'),
  );
  await log.append('operations', last?.revision ?? NO_STREAM, notes.slice(0, 999));
  await log.append('operations', (last?.revision ?? NO_STREAM) + 999, notes.slice(999));
  await skipsFromLog(log, codec, world.database);
  const noted = (await notedSkips(world.database)).events.filter(({ projection }) => projection === 'consent_history');
  expect(new Set(noted.map(({ position }) => position))).toEqual(new Set(notes.map((_, i) => BigInt(1_000 + i))));
});
