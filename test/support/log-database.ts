import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateEventLog1700000000001 } from '../../libs/event-log/adapters/postgres.migration.js';
import { ShardProjections1763780000001 } from '../../libs/event-log/generations.migration.js';
import { CreateSnapshots1763785000001 } from '../../libs/event-log/snapshots.migration.js';
import { CreateProjections1700000000002 } from '../../libs/event-log/projection.migration.js';
import { startBundledPostgres } from '../../libs/platform/database/bundled-postgres.js';
import { Database } from '../../libs/platform/database/database.js';
import { migrate } from '../../libs/platform/database/migrate.js';
import { wireTo, type Wire } from './wire.js';

export interface LogDatabase {
  url: string;
  database: Database;
  wire(): Promise<Wire>;
  stop(): Promise<void>;
}

/** A Postgres of its own with the tables of the event log and of projections, in a folder that goes with it. */
export async function startLogDatabase(): Promise<LogDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-log-'));
  const postgres = await startBundledPostgres(folder, () => undefined);
  await migrate(postgres.url, [
    CreateEventLog1700000000001,
    CreateProjections1700000000002,
    ShardProjections1763780000001,
    CreateSnapshots1763785000001,
  ]);
  const database = new Database(postgres.url, { max: 6, budgetMs: 10_000 });
  const wires: Wire[] = [];
  return {
    url: postgres.url,
    database,
    wire: async () => {
      const wire = await wireTo(postgres.url);
      wires.push(wire);
      return wire;
    },
    stop: async () => {
      await database.close();
      await Promise.all(wires.map((wire) => wire.close()));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
