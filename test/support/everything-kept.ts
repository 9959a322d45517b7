import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { BEGINNING } from '../../libs/kernel/index.js';
import { readLog } from '../../libs/log/log-reading.js';
import type { FourRoles } from './processes.js';
import type { World } from './world.js';

/** Every key and value, hex, whatever its type. */
const REDIS_DUMP = `local out = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local kind = redis.call('TYPE', key).ok
  local values = kind == 'string' and { redis.call('GET', key) } or kind == 'hash' and redis.call('HGETALL', key) or kind == 'list' and redis.call('LRANGE', key, 0, -1)
    or kind == 'set' and redis.call('SMEMBERS', key) or kind == 'zset' and redis.call('ZRANGE', key, 0, -1) or { 'a ' .. kind .. ' that nobody looks into' }
  out[#out + 1] = key
  for _, value in ipairs(values) do out[#out + 1] = value end
end
return (table.concat(out, '\\n'):gsub('.', function(c) return string.format('%02x', c:byte()) end))`;

/** Everything that an installation keeps or says, place by place, as text. */
export async function everythingKept(world: World): Promise<Map<string, string>> {
  const kept = await tables(world.databaseUrl!);
  kept.set('output', world.output());
  for (const file of files(world.dataFolder)) kept.set(`file ${file}`, readFileSync(file, 'latin1'));
  const { roles, engines } = world;
  const instances = roles
    ? roles.instances().map(({ role, url }) => [role, url] as const)
    : [['standalone', world.url] as const];
  for (const [index, [role, url]] of instances.entries())
    kept.set(`metrics of ${role} ${index}`, await (await fetch(`${url}/metrics`)).text());
  if (!engines) return kept;
  kept.set('event store', (await eventsOf(engines)).map(({ text }) => text).join('\n'));
  kept.set('redis', Buffer.from(await engines.redis.command('EVAL', REDIS_DUMP, '0'), 'hex').toString('latin1'));
  return kept;
}

/** Every row of every table of every schema. What Postgres keeps about statements too: they hold no values. */
async function tables(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: names } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const found = new Map<string, string>();
    for (const name of [...names.map((row) => row.name), 'pg_stat_activity', 'pg_prepared_statements']) {
      // Bytes show as hex, one of the spellings that are looked for.
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
      found.set(name, rows.map(({ line }) => line).join('\n'));
    }
    return found;
  } finally {
    await client.end();
  }
}

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Names of streams, which can never be erased. */
export async function streamNames(world: World): Promise<string[]> {
  if (world.engines) return [...new Set((await eventsOf(world.engines)).map(({ stream }) => stream))];
  const client = new pg.Client({ connectionString: world.databaseUrl! });
  await client.connect();
  try {
    return (await client.query<{ stream: string }>('select distinct stream from log.events')).rows.map(
      ({ stream }) => stream,
    );
  } finally {
    await client.end();
  }
}

/** Every event of the installation, its stream without the prefix: byte for byte where the server is ours, else as the log tells. */
async function eventsOf({ events: own, env }: FourRoles): Promise<{ stream: string; text: string }[]> {
  if (own) {
    const before = `${env['ASSENT_LOG_PREFIX']}.`;
    return own.ledger.all.map(({ id, stream, type, data, metadata }) => ({
      stream: stream.startsWith(before) ? stream.slice(before.length) : stream,
      text: `${id} ${stream} ${type} ${data.toString()} ${metadata.toString()}`,
    }));
  }
  // Loaded by those who need it only.
  const { EventStoreDbLog } = await import('../../libs/log/adapters/eventstoredb/eventstoredb.js');
  const log = new EventStoreDbLog({ url: env['ESDB_URL']!, prefix: env['ASSENT_LOG_PREFIX']! });
  try {
    const found: { stream: string; text: string }[] = [];
    await readLog(log, { after: BEGINNING, through: await log.head(), prefixes: [] }, (events) => {
      for (const event of events) {
        const { id, stream, type, data, metadata } = event;
        found.push({ stream, text: JSON.stringify({ id, stream, type, data, metadata }) });
      }
    });
    return found;
  } finally {
    await log.close();
  }
}
