import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { MigrationInterface } from 'typeorm';
import { StartRefused } from '../start-refused.js';
import { isUnavailable, translated } from './failures.js';

/** A TypeORM migration. Its name ends in 13 digits, its time, by which migrations are ordered. */
export type MigrationClass = new () => MigrationInterface;

const TABLE = 'assent_migrations';
/** Number of the advisory lock: the letters "assent", which no other program of the database locks. */
const LOCK = 0x617373656e74;
const WAIT_MS = 60_000;
const CONNECT_MS = 30_000;
/** How long a query that only looks may take before the server counts as hung. */
const LOOK_MS = 10_000;

/** The name under which the database notes that a migration was run. */
export const migrationName = (migration: MigrationClass): string => new migration().name ?? migration.name;

/** Names of the migrations that the database has not seen, in the order in which they would run. */
export function pendingMigrations(
  url: string,
  migrations: readonly MigrationClass[],
  say: (line: string) => void = () => undefined,
): Promise<string[]> {
  return connected(url, say, (client) => pending(client, migrations));
}

/**
 * Brings the schema up to date, each migration in a transaction of its own. Of several processes that start at once
 * one does the work and the others wait for it, at most 60 s. Waits up to 30 s for a database that is only starting.
 * Answers the names of the migrations it ran. Rejects with DependencyUnavailable where the database goes away meanwhile:
 * call it again, and it goes on where it stopped.
 */
export function migrate(
  url: string,
  migrations: readonly MigrationClass[],
  say: (line: string) => void = () => undefined,
): Promise<string[]> {
  return connected(url, say, async (client) => {
    // TypeORM takes 0.2 s to load, so it is loaded only where there is something to run.
    if ((await pending(client, migrations)).length === 0) return [];
    await lock(client);
    try {
      const names = await pending(client, migrations);
      if (names.length > 0) await run(url, migrations);
      return names;
    } finally {
      await client.query(looking('select pg_advisory_unlock($1)', [LOCK])).catch(() => undefined);
    }
  });
}

async function pending(client: pg.Client, migrations: readonly MigrationClass[]): Promise<string[]> {
  const done = await client.query<{ name: string }>(looking(`select name from ${TABLE}`)).catch((error: unknown) => {
    if ((error as { code?: string }).code === '42P01') return { rows: [] };
    throw error;
  });
  const names = new Set(done.rows.map((row) => row.name));
  const time = (name: string) => name.slice(-13);
  return migrations
    .map(migrationName)
    .filter((name) => !names.has(name))
    .sort((a, b) => (time(a) < time(b) ? -1 : 1));
}

/** The connection holds the lock, so a killed process frees it. Polled, because a wait inside Postgres has no bound. */
async function lock(client: pg.Client): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; ; await pause(100)) {
    const { rows } = await client.query<{ locked: boolean }>(
      looking('select pg_try_advisory_lock($1) as locked', [LOCK]),
    );
    if (rows[0]!.locked) return;
    if (Date.now() > deadline)
      throw new StartRefused(
        'Another process has been migrating the database for a minute; wait until it is done and start again.',
      );
  }
}

async function run(url: string, migrations: readonly MigrationClass[]): Promise<void> {
  const { DataSource } = await import('typeorm');
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations: [...migrations],
    migrationsTableName: TABLE,
    migrationsTransactionMode: 'each',
    logging: false,
    applicationName: 'assent migrations',
    extra: { max: 1 },
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

async function connected<T>(
  url: string,
  say: (line: string) => void,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url, say);
  // Without a listener, a lost connection would end the process. The query under way rejects by itself.
  client.on('error', () => undefined);
  return work(client)
    .catch((error: unknown) => {
      throw translated(error);
    })
    .finally(() => client.end().catch(() => undefined));
}

/** pg knows the limit of a single query, its types do not. */
const looking = (text: string, values: unknown[] = []): pg.QueryConfig =>
  ({ text, values, query_timeout: LOOK_MS }) as pg.QueryConfig;

async function connect(url: string, say: (line: string) => void): Promise<pg.Client> {
  let hasSaid = false;
  for (const deadline = Date.now() + CONNECT_MS; ; await pause(250)) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'assent migrations',
      connectionTimeoutMillis: 5000,
    });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      const { code } = error as { code?: string };
      if (code?.startsWith('28'))
        throw new StartRefused('The database refuses the user or the password in DATABASE_URL; correct them.', {
          cause: error,
        });
      if (code === '3D000')
        throw new StartRefused('The database named in DATABASE_URL does not exist; create it, or correct the name.', {
          cause: error,
        });
      if (!isUnavailable(error)) throw error;
      if (Date.now() > deadline)
        throw new StartRefused('The database in DATABASE_URL does not answer; start it, or correct the address.', {
          cause: error,
        });
      if (!hasSaid) say(`waiting up to ${CONNECT_MS / 1000} s for the database in DATABASE_URL...`);
      hasSaid = true;
    }
  }
}
