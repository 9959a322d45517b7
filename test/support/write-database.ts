import { Database } from '../../libs/engines/database/database.js';
import { migrate, type MigrationClass } from '../../libs/engines/database/migrate.js';
import { createDatabase } from './databases.js';

export interface WriteDatabase {
  url: string;
  database: Database;
  stop(): Promise<void>;
}

/** A database with the whole schema, or with what these migrations make, in the Postgres of the test run. */
export async function startWriteDatabase(migrations?: readonly MigrationClass[]): Promise<WriteDatabase> {
  const { url, drop } = await createDatabase(migrations ? 'template1' : 'assent_whole');
  if (migrations) await migrate(url, migrations);
  const database = new Database(url, { max: 6, budgetMs: 10_000 });
  return {
    url,
    database,
    stop: async () => {
      await database.close();
      await drop();
    },
  };
}
