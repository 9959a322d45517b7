import { StartRefused } from '../start-refused.js';
import type { Queries } from './database.js';

const NOTE = {
  name: 'note_log_prefix',
  text: 'insert into write.log_prefix (prefix) values ($1) on conflict do nothing',
};
const NOTED = { name: 'noted_log_prefix', text: 'select prefix from write.log_prefix' };

/**
 * Vault, rows and checkpoints of a database belong to the streams of one prefix. The first start notes the prefix; later
 * starts change nothing. With another prefix the service would find an empty log and begin anew beside the old one.
 */
export async function noteLogPrefix(database: Queries, prefix: string): Promise<void> {
  await database.query(NOTE, [prefix]);
}

/** Throws StartRefused where another prefix is noted. Resolves where no start has noted one yet. */
export async function proveLogPrefix(database: Queries, prefix: string): Promise<void> {
  const [noted] = await database.query<{ prefix: string }>(NOTED, []);
  if (!noted || noted.prefix === prefix) return;
  throw new StartRefused(
    noted.prefix === ''
      ? 'This database belongs to streams without a prefix: remove ASSENT_LOG_PREFIX, or set DATABASE_URL to a database of its own.'
      : `This database belongs to the streams in EventStoreDB with the prefix ${noted.prefix}: set ASSENT_LOG_PREFIX to it, or DATABASE_URL to a database of its own.`,
  );
}
