import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** What databases are copied from: two that `setup.mjs` has migrated once, and Postgres' own, which is empty. */
export type Template = 'assent_whole' | 'assent_log' | 'template1';

export interface OwnDatabase {
  name: string;
  url: string;
  /** Ends the connections to it, and lets nobody in any more. */
  drop(): Promise<void>;
}

/**
 * A database of its own in the Postgres of the test run: with the whole schema, with that of the log, empty, or a copy of
 * another one to which nobody is connected.
 */
export async function createDatabase(template: Template | OwnDatabase): Promise<OwnDatabase> {
  const shared = process.env['ASSENT_TEST_POSTGRES'];
  if (!shared) throw new Error('this spec needs a database: run it with `npm test -- <file>`, which starts one');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(shared, [
    `create database ${name} template ${typeof template === 'string' ? template : template.name}`,
  ]);
  const url = new URL(shared);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => administer(shared, leftAlone(name)) };
}

/**
 * Marks a database as one whose dropping was interrupted, so that nobody can connect to it and no vacuum looks after it.
 * Its files go with those of the server: `drop database` waits for a checkpoint of the whole server each time, which costs
 * 0.1 s of processor and, beside others, seconds of waiting.
 */
const leftAlone = (name: string): string[] => [
  `update pg_database set datconnlimit = -2 where datname = '${name}'`,
  // Only after the first one counts: whoever came in between would stay.
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
];

async function administer(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
