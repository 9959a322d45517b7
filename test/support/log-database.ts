import { Database } from '../../libs/platform/database/database.js';
import { createDatabase, type Template } from './databases.js';
import { wireTo, type Wire } from './wire.js';

export interface LogDatabase {
  url: string;
  database: Database;
  wire(): Promise<Wire>;
  stop(): Promise<void>;
}

/** A database with the tables of the event log and of projections, or with all, in the Postgres of the test run. */
export async function startLogDatabase(template: Template = 'assent_log'): Promise<LogDatabase> {
  const { url, drop } = await createDatabase(template);
  const database = new Database(url, { max: 6, budgetMs: 10_000 });
  const wires: Wire[] = [];
  return {
    url,
    database,
    wire: async () => {
      const wire = await wireTo(url);
      wires.push(wire);
      return wire;
    },
    stop: async () => {
      await database.close();
      await Promise.all(wires.map((wire) => wire.close()));
      await drop();
    },
  };
}
