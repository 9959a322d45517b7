import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../libs/engines/database/database.js';
import { ProtocolServer } from './eventstoredb/protocol-server.js';

/** A log that can be copied while it is used, and brought back from that copy below the service that uses it. */
export interface CopiedLog {
  /** Settings of the service that uses it. */
  env: Record<string, string>;
  copy(): Promise<void>;
  /** What was written since the copy is gone. */
  restore(): Promise<void>;
  /** How many events it holds. */
  events(): Promise<number>;
  close(): Promise<void>;
}

/** In EventStoreDB: its files are copied, and put back while the server is down. */
export async function copiedEventStore(): Promise<CopiedLog> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-copies-'));
  const [file, copy] = [join(folder, 'log.jsonl'), join(folder, 'copy.jsonl')];
  const server = await ProtocolServer.start({ file });
  return {
    env: { ESDB_URL: server.url },
    copy: async () => copyFileSync(file, copy),
    restore: async () => {
      await server.kill();
      copyFileSync(copy, file);
      await server.restart();
    },
    events: async () => server.ledger.all.filter(({ stream }) => !stream.startsWith('$')).length,
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** In Postgres: the schema of the log alone is brought back, as from a dump of it, while all else stays. */
export function copiedPostgres(database: () => Database): CopiedLog {
  return {
    env: {},
    copy: async () =>
      void (await database().run(
        'drop table if exists public.log_copy; create table public.log_copy as table log.events',
      )),
    restore: async () =>
      void (await database().run(`
        begin;
        alter table log.events disable trigger user;
        truncate log.events;
        insert into log.events select * from public.log_copy;
        alter table log.events enable trigger user;
        commit`)),
    events: async () => (await database().run<{ n: number }>('select count(*)::int as n from log.events'))[0]!.n,
    close: async () => undefined,
  };
}
