import { freePort } from './free-port.js';
import { startRedis, type RedisServer } from './redis.js';
import { until } from './timing.js';

const SLOTS = 16_384;
const MASTERS = 3;

/** A real Redis Cluster on this machine: three masters, each with a replica that takes over within a second or two. */
export interface RedisCluster {
  /** `redis+cluster://127.0.0.1:port,127.0.0.1:port,...` of the masters that it began with. */
  url: string;
  masters: RedisServer[];
  /** By the index of its master. */
  replicas: RedisServer[];
  /** The server that a key is on now, by the view of a server that runs. */
  masterOf(key: string): Promise<RedisServer>;
  /**
   * Moves the slot of a key, with all keys in it, to another master, as `redis-cli --cluster reshard` does. `meanwhile`
   * runs when the move has begun and no key has moved yet.
   */
  moveSlot(key: string, to: RedisServer, meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    for (let i = 0; i < 2 * MASTERS; i++)
      servers.push(
        await startRedis([
          ...['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf'],
          ...['--cluster-port', String(await freePort()), '--cluster-node-timeout', '1000'],
          ...['--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0'],
        ]),
      );
    const [masters, replicas] = [servers.slice(0, MASTERS), servers.slice(MASTERS)];
    await form(masters, replicas);
    return { ...clusterOf(masters, replicas), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function form(masters: readonly RedisServer[], replicas: readonly RedisServer[]): Promise<void> {
  const [first, ...others] = [...masters, ...replicas] as [RedisServer, ...RedisServer[]];
  await Promise.all(
    masters.map((master, i) =>
      master.command(
        'CLUSTER',
        'ADDSLOTSRANGE',
        String(Math.ceil((i * SLOTS) / MASTERS)),
        String(Math.ceil(((i + 1) * SLOTS) / MASTERS) - 1),
      ),
    ),
  );
  for (const server of others)
    await first.command('CLUSTER', 'MEET', '127.0.0.1', String(server.port), String(await busPortOf(server)));
  await until(async () => {
    const counts = await Promise.all([first, ...others].map((server) => info(server, 'cluster_known_nodes')));
    return counts.every((count) => count === String(others.length + 1));
  });
  for (const [i, replica] of replicas.entries())
    await replica.command('CLUSTER', 'REPLICATE', await masters[i]!.command('CLUSTER', 'MYID'));
  await until(async () => {
    const states = await Promise.all([first, ...others].map((server) => info(server, 'cluster_state')));
    return states.every((state) => state === 'ok');
  });
  await until(async () =>
    (await Promise.all(replicas.map((replica) => replica.command('INFO', 'replication')))).every((text) =>
      text.includes('master_link_status:up'),
    ),
  );
}

function clusterOf(masters: RedisServer[], replicas: RedisServer[]): Omit<RedisCluster, 'stop'> {
  const servers = [...masters, ...replicas];
  const idOf = (server: RedisServer): Promise<string> => server.command('CLUSTER', 'MYID');
  const masterOf = async (key: string): Promise<RedisServer> => {
    for (const server of servers) {
      const refused = await server.command('GET', key).then(
        () => null,
        ({ message }: Error) => message,
      );
      if (refused === null) return server;
      const port = /^MOVED \d+ 127\.0\.0\.1:(\d+)/.exec(refused)?.[1];
      if (port !== undefined) return servers.find((one) => one.port === Number(port))!;
    }
    throw new Error(`no server of the cluster has ${key}`);
  };
  return {
    url: `redis+cluster://${masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    masters,
    replicas,
    masterOf,
    moveSlot: async (key, to, meanwhile = () => Promise.resolve()) => {
      const from = await masterOf(key);
      const slot = await from.command('CLUSTER', 'KEYSLOT', key);
      const [fromId, toId] = [await idOf(from), await idOf(to)];
      await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
      await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
      await meanwhile();
      await until(async () => {
        const next = await from.command('CLUSTER', 'GETKEYSINSLOT', slot, '1');
        if (next === '') return true;
        await from.command('MIGRATE', '127.0.0.1', String(to.port), next, '0', '1000');
        return false;
      });
      for (const server of [to, from]) await server.command('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
    },
  };
}

const info = async (server: RedisServer, name: string): Promise<string | undefined> =>
  new RegExp(`^${name}:(\\S+)`, 'm').exec(await server.command('CLUSTER', 'INFO'))?.[1];
const busPortOf = async (server: RedisServer): Promise<string> =>
  /:(\d+)@(\d+)/.exec(await server.command('CLUSTER', 'NODES'))![2]!;
