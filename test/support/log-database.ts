import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateEventLog1700000000001 } from '../../libs/event-log/adapters/postgres.migration.js';
import { CreateProjections1700000000002 } from '../../libs/event-log/projection.migration.js';
import { startBundledPostgres } from '../../libs/platform/database/bundled-postgres.js';
import { Database } from '../../libs/platform/database/database.js';
import { migrate } from '../../libs/platform/database/migrate.js';

/** A connection between a client and Postgres that can be cut, or made to swallow every answer. */
export interface Wire {
  url: string;
  cut(): void;
  /** The server hears the client, the client hears nothing. */
  mute(): void;
  restore(): void;
}

export interface LogDatabase {
  url: string;
  database: Database;
  wire(): Promise<Wire>;
  stop(): Promise<void>;
}

/** A Postgres of its own with the tables of the event log and of projections, in a folder that goes with it. */
export async function startLogDatabase(): Promise<LogDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-log-'));
  const postgres = await startBundledPostgres(folder, () => undefined);
  await migrate(postgres.url, [CreateEventLog1700000000001, CreateProjections1700000000002]);
  const database = new Database(postgres.url, { max: 6, budgetMs: 10_000 });
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  return {
    url: postgres.url,
    database,
    wire: async () => {
      const target = new URL(postgres.url);
      let state: 'whole' | 'cut' | 'mute' = 'whole';
      const own = new Set<net.Socket>();
      const server = net.createServer((client) => {
        if (state === 'cut') return void client.destroy();
        const upstream = net.connect(Number(target.port), target.hostname);
        for (const socket of [client, upstream]) {
          own.add(socket);
          sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => (client.destroy(), upstream.destroy()));
        }
        client.pipe(upstream);
        upstream.on('data', (answer) => state !== 'mute' && client.write(answer));
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = new URL(postgres.url);
      url.hostname = '127.0.0.1';
      url.port = String((server.address() as net.AddressInfo).port);
      const drop = () => own.forEach((socket) => socket.destroy());
      return {
        url: url.href,
        cut: () => ((state = 'cut'), drop()),
        mute: () => void (state = 'mute'),
        restore: () => ((state = 'whole'), drop()),
      };
    },
    stop: async () => {
      await database.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
