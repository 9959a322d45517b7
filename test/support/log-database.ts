import { Database } from '../../libs/engines/database/database.js';
import { createDatabase, type OwnDatabase, type Template } from './databases.js';
import { wireTo, type Wire } from './wire.js';

export interface LogDatabase {
  url: string;
  database: Database;
  wire(): Promise<Wire>;
  /** Ends its connections. The database stays, for copies to be made of it. */
  rest(): Promise<OwnDatabase>;
  stop(): Promise<void>;
}

/** A database with the tables of the event log and of projections, or with all, or a copy, in the Postgres of the test run. */
export async function startLogDatabase(template: Template | OwnDatabase = 'assent_log'): Promise<LogDatabase> {
  const own = await createDatabase(template);
  const { url } = own;
  const database = new Database(url, { max: 6, budgetMs: 10_000 });
  const wires: Wire[] = [];
  const rest = async (): Promise<OwnDatabase> => {
    await database.close();
    await Promise.all(wires.map((wire) => wire.close()));
    return own;
  };
  return {
    url,
    database,
    wire: async () => {
      const wire = await wireTo(url);
      wires.push(wire);
      return wire;
    },
    rest,
    stop: async () => (await rest()).drop(),
  };
}
