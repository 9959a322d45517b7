import { mkdirSync } from 'node:fs';
import pg from 'pg';
import { startBundledPostgres } from '../../dist/libs/engines/database/bundled-postgres.js';
import { oursToStop } from './processes.mjs';

/**
 * A Postgres of the bench's own in that folder, for cases that write into it beside Assent, or outlive one.
 * @returns {Promise<{ url: string, query: (text: string, values?: unknown[]) => Promise<object[]>, stop: () => Promise<void> }>}
 */
export async function startDatabase(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const postgres = await startBundledPostgres(folder, () => undefined);
  const pool = new pg.Pool({ connectionString: postgres.url, max: 4 });
  pool.on('error', () => undefined);
  return {
    url: postgres.url,
    query: async (text, values) => (await pool.query(text, values)).rows,
    stop: oursToStop(async () => {
      // A statement that still runs ends with the server.
      await Promise.all([pool.end(), postgres.stop()]);
    }),
  };
}
