import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { generator } from '../support/generator.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';
import { Families } from './families.js';
import { Load, wholeHistory } from './load.js';

/** Every run can be had again: FAULTS_SEED is printed; FAULTS_KILLS makes it long. */
const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
const KILLS = Number(process.env['FAULTS_KILLS'] ?? 8);

let world: World;
beforeAll(async () => {
  world = await startWorld({ breakable: true });
});
afterAll(() => world?.stop());

it(
  `loses and doubles nothing, and leaves nobody half merged or half erased, when it is killed under load (seed ${SEED}, ${KILLS} kills)`,
  async () => {
    const random = generator(SEED);
    const load = new Load(world, { seed: SEED });
    const families = new Families(world, SEED);
    load.start();
    families.start();
    let cuts = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(20 + Math.floor(random() * 250));
      const before = load.cutOff;
      await world.kill9();
      await world.restart();
      cuts += load.cutOff > before ? 1 : 0;
    }
    await Promise.all([load.stop(), families.stop()]);
    // A kill proves nothing where nothing is written: most kills have to come while a request is under way.
    expect(load.count).toBeGreaterThan(KILLS * 5);
    expect(cuts).toBeGreaterThan(KILLS / 2);
    await load.check();
    await families.check();
  },
  600_000 + KILLS * 40_000,
);

it('gives a hundred simultaneous posts with one key one effect', async () => {
  const subject = world.visitor();
  const headers = { 'Idempotency-Key': randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      world.request('POST', '/v1/consent', { body: { subject, purpose: 'analytics', decision: 'GRANTED' }, headers }),
    ),
  );
  // On a machine under load some may not be told in time what became of them, the first one too.
  const told = answers.filter(({ body }) => body.code !== 'dependency_unavailable');
  const bodies = new Set(told.filter(({ status }) => status === 201).map(({ text }) => text));
  expect(bodies.size).toBe(1);
  expect(told.every(({ status }) => status === 201 || status === 409)).toBe(true);
  const first = told.filter(({ status, headers: sent }) => status === 201 && !sent['idempotent-replayed']);
  expect([1, told.length < answers.length ? 0 : 1]).toContain(first.length);
  expect(await wholeHistory(world, subject)).toHaveLength(1);
});

it('would notice a service that lies: an acknowledged write that was never made, and one that was made twice', async () => {
  // The harness is worth nothing unless it can fail. Each load goes on until the fault has happened, however long that takes.
  let lying = true;
  let lies = 0;
  let repeats = 0;
  const truth = ({ key, path, body }: { key: string; path: string; body: unknown }) =>
    world.request('POST', path, { key: 'sk', body, headers: { 'Idempotency-Key': key } });
  const template = (await world.recorded()).body as { id: string };
  const forged = new Load(world, {
    seed: SEED,
    writers: 1,
    visitors: 1,
    // Says "recorded" and records nothing.
    send: async (operation) => {
      await pause(1);
      if (!lying || operation.path !== '/v1/consent') return truth(operation);
      lies++;
      return { status: 201, headers: {}, body: template, text: JSON.stringify(template) };
    },
  });
  forged.start();
  await until(() => lies > 0);
  await forged.stop();
  lying = false;
  await expect(forged.check()).rejects.toThrow();

  const doubled = new Load(world, {
    seed: SEED + 1,
    writers: 1,
    visitors: 1,
    send: async (operation) => {
      const { status } = await world.request('POST', operation.path, { key: 'sk', body: operation.body });
      if (status === 201) repeats++;
      return truth(operation);
    },
  });
  doubled.start();
  await until(() => repeats > 0);
  await doubled.stop();
  await expect(doubled.check()).rejects.toThrow();
});
