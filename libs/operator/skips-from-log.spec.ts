import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { PostgresEventLog } from '../event-log/adapters/postgres.js';
import { anEvent } from '../event-log/log.contract.js';
import { NO_STREAM } from '../event-log/port.js';
import { skippedEvents } from '../event-log/skipped-events.js';
import { skipsFromLog } from './skips-from-log.js';

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

it('what operators left out comes back from the log where the table was lost', async () => {
  const skipped = (position: string) =>
    anEvent('ProjectionSkipped', {
      by: { user: 'ada', host: 'ops-1' },
      projection: 'consent_state',
      position,
      error: 'UnreadableEvent: Unheard: this type of event is not known',
      eventType: 'Unheard',
    });
  await log.append('operations', NO_STREAM, [skipped('7'), anEvent('AuditExported'), skipped('9')]);
  // The skip itself had written one of them already.
  await world.database.run(
    `insert into projection.skipped_events (projection, position, skipped_by) values ('consent_state', 7, 'ada@ops-1')`,
  );
  await skipsFromLog(log, world.database);
  await skipsFromLog(log, world.database);
  expect([...(await skippedEvents(world.database))]).toEqual([['consent_state', new Set([7n, 9n])]]);
});

it('so does what they left out after more events than one page of the log holds', async () => {
  const [last] = await log.read('operations', { direction: 'backwards', limit: 1 });
  const notes = Array.from({ length: 1_001 }, (_, i) =>
    i % 500 < 2
      ? anEvent('ProjectionSkipped', {
          by: { user: 'ada', host: 'ops-1' },
          projection: 'consent_history',
          position: String(1_000 + i),
          error: 'UnreadableEvent: Unheard: this type of event is not known',
          eventType: 'Unheard',
        })
      : anEvent('AuditExported'),
  );
  await log.append('operations', last?.revision ?? NO_STREAM, notes.slice(0, 999));
  await log.append('operations', (last?.revision ?? NO_STREAM) + 999, notes.slice(999));
  await skipsFromLog(log, world.database);
  expect((await skippedEvents(world.database)).get('consent_history')).toEqual(
    new Set([1_000n, 1_001n, 1_500n, 1_501n, 2_000n]),
  );
});
