import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { commanded } from '../support/command-line.js';
import type { ProtocolServer } from '../support/eventstoredb/protocol-server.js';
import { startWorld, type World } from '../support/world.js';
import { Load } from './load.js';

/** FAULTS_SEED brings a run back; FAULTS_ROUNDS makes it long. */
const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
const ROUNDS = Number(process.env['FAULTS_ROUNDS'] ?? 1);
/** How long each fault lasts, in ms. */
const LASTS = 700;
/** How long writing may take to go on after a fault, on a machine under load. */
const PATIENCE_MS = 240_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ breakable: true, fourRoles: true });
});
afterAll(() => world?.stop());

const ofRole = (role: string): number[] =>
  world.roles!.instances().flatMap((instance, index) => (instance.role === role ? [index] : []));
const log = (): ProtocolServer => world.engines!.events!;
const kill = async (role: string): Promise<void> => {
  for (const index of ofRole(role)) await world.engines!.restartOne(index, 'SIGKILL');
};

type Fault = [what: string, happens: () => Promise<unknown>];

/** What is done to the log, where it is ours and not a real server. */
const FAULTS_OF_THE_LOG: Fault[] = [
  [
    'answers of the log are swallowed after the work was done',
    async () => {
      log().next('append', ...Array.from({ length: 20 }, () => 'swallow-answer' as const));
      await pause(LASTS * 2);
    },
  ],
  [
    'connections to the log are cut after the work was done',
    async () => {
      log().next('append', ...Array.from({ length: 10 }, () => 'cut-after' as const));
      await pause(LASTS);
    },
  ],
  [
    'the log hangs',
    async () => {
      log().wire.freeze();
      await pause(LASTS * 3);
      log().wire.thaw();
    },
  ],
  [
    'the log flaps',
    async () => {
      for (let i = 0; i < 5; i++) {
        log().wire.cut();
        await pause(100);
      }
    },
  ],
  [
    'the log is killed and comes back',
    async () => {
      await log().kill();
      await pause(LASTS);
      await log().restart();
    },
  ],
  [
    'subscriptions go quiet on an open connection',
    async () => {
      log().stallSubscriptions();
      await pause(LASTS);
    },
  ],
];

/** What is done to the installation while it is written to. Each leaves it whole again. */
const FAULTS: Fault[] = [
  ...(process.env['ESDB_URL'] ? [] : FAULTS_OF_THE_LOG),
  ['both write-apis are killed, one after the other', () => kill('write-api')],
  ['both read-apis are killed, one after the other', () => kill('read-api')],
  ['both projectors are killed, one after the other', () => kill('projector')],
  ['both dispatchers are killed, one after the other', () => kill('dispatcher')],
  [
    'Redis is paused',
    async () => {
      world.engines!.redis.signal('SIGSTOP');
      await pause(LASTS);
      world.engines!.redis.signal('SIGCONT');
    },
  ],
  [
    'Redis is killed and comes back empty',
    async () => {
      await world.engines!.redis.kill();
      await pause(LASTS);
      await world.engines!.redis.start();
    },
  ],
];

it(
  `keeps every promise whatever happens to its parts (seed ${SEED}, ${ROUNDS} rounds)`,
  async () => {
    const load = new Load(world, { seed: SEED, writers: 8 });
    load.start();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [what, happens] of FAULTS) {
        const before = load.count;
        await happens();
        // Nobody does anything: writing goes on by itself.
        for (const until = Date.now() + PATIENCE_MS; load.count < before + 8; await pause(20))
          if (Date.now() > until) throw new Error(`nothing was written any more after "${what}"`);
      }
    }
    await load.stop();
    await load.check();
    // Rows against the whole log, revisions and readability of every event, by the operator's own command.
    const { env } = world.roles!;
    await commanded(['audit', 'verify'], env);
    await commanded(['projections', 'rebuild', 'consent_state', '--verify'], env);
  },
  PATIENCE_MS + ROUNDS * 600_000,
);

it('loses no request to a rolling restart behind a proxy', async () => {
  const failed: string[] = [];
  let answered = 0;
  let rolling = true;
  const clients = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (rolling) {
        await world.recorded({}, { key: 'sk' }).then(
          () => (answered += 1),
          (error: Error) => failed.push(error.message),
        );
      }
    }),
  );
  for (const index of ofRole('write-api')) await world.engines!.restartOne(index, 'SIGTERM');
  rolling = false;
  await clients;
  expect({ failed, some: answered > 20 }).toEqual({ failed: [], some: true });
});
