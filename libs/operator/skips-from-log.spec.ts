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
