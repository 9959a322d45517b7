import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Database } from '../../libs/platform/database/database.js';
import { migrate, type MigrationClass } from '../../libs/platform/database/migrate.js';
import { COMPOSITION } from '../../libs/roles/contexts.js';

export interface WriteDatabase {
  url: string;
  database: Database;
  stop(): Promise<void>;
}

/** A database with the whole schema, or a part of it, in the Postgres of the test run. */
export async function startWriteDatabase(
  migrations: readonly MigrationClass[] = COMPOSITION.migrations,
): Promise<WriteDatabase> {
  const shared = process.env['ASSENT_TEST_POSTGRES']!;
  const name = `laws_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: shared });
  await admin.connect();
  await admin.query(`create database ${name}`);
  // Nothing here has to outlive a power cut.
  await admin.query(`alter database ${name} set synchronous_commit = off`);
  const url = new URL(shared);
  url.pathname = `/${name}`;
  await migrate(url.href, migrations);
  const database = new Database(url.href, { max: 6, budgetMs: 10_000 });
  return {
    url: url.href,
    database,
    stop: async () => {
      await database.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
