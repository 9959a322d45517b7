import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/double-opt-in.js';
import { generator } from '../support/generator.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

/** Every run can be had again: FAULTS_SEED is printed; FAULTS_KILLS makes it long. */
const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
const KILLS = Math.ceil(Number(process.env['FAULTS_KILLS'] ?? 6) / 2);
const AT_ONCE = 8;
const REQUESTS = '/v1/data-requests';

let world: World;
beforeAll(async () => {
  world = await startWorld({ own: true });
});
afterAll(() => world?.stop());

interface Asked {
  id: string;
  type: string;
  subject: string;
}

const post = async (path: string, body: object): Promise<Answer['body']> => {
  const answer = await world.request('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
};

/** Somebody who has agreed to two things, and a verified request of theirs. */
async function asked(type: string): Promise<Asked> {
  const subject = `user_id:${randomUUID()}`;
  const record = (purpose: string): object => ({ subject, purpose, decision: 'GRANTED' });
  await post('/v1/consent/batch', { records: [record('analytics'), record('marketing')] });
  const { id } = await post(REQUESTS, { subject, type, jurisdiction: { country: 'DE' } });
  await post(`${REQUESTS}/${id as string}/verify`, {});
  return { id: id as string, type, subject };
}

const shown = async (id: string): Promise<Answer['body']> => (await world.request('GET', `${REQUESTS}/${id}`)).body;

it(
  `every completion that is cut off ends, with each effect once and whole (seed ${SEED}, ${KILLS} kills)`,
  async () => {
    const random = generator(SEED);
    const all: Asked[] = [];
    let cut = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const some = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => asked(['WITHDRAW_ALL', 'ACCESS', 'ERASURE'][i % 3]!)),
      );
      all.push(...some);
      const completing = some.map(({ id }) =>
        world.request('POST', `${REQUESTS}/${id}/complete`, { body: {} }).then(
          ({ status }) => status,
          () => 0,
        ),
      );
      await pause(5 + Math.floor(random() * 60));
      await world.kill9();
      cut += (await Promise.all(completing)).filter((status) => status !== 200).length;
      await world.restart();
    }
    // A kill proves nothing where nobody was at it.
    expect(cut).toBeGreaterThan(0);
    for (const { id, type, subject } of all) {
      // What was begun is finished by itself; what was not is begun by whoever repeats the call.
      await until(async () => ((await shown(id)).completing === null ? true : undefined));
      const done = await post(`${REQUESTS}/${id}/complete`, {});
      expect([type, done.state]).toEqual([type, 'COMPLETED']);
      if (type === 'ERASURE') {
        const receipt = await world.request('GET', `/v1/receipts/${done.effect.receiptId as string}`);
        expect([receipt.status, receipt.body.receipt.event.type]).toEqual([200, 'erasure']);
        continue;
      }
      if (type === 'ACCESS') {
        expect(done.effect).toMatchObject({ kind: 'ARCHIVE', archive: { bytes: expect.any(Number) } });
        continue;
      }
      expect(done.effect.recordIds).toHaveLength(3);
      const { body } = await world.request('GET', pathOf(subject, '/history'));
      const decisions = (body.data as { purpose: string; decision: string }[]).map(
        ({ purpose, decision }) => `${purpose} ${decision}`,
      );
      expect(new Set(decisions)).toEqual(
        new Set(['analytics GRANTED', 'marketing GRANTED', 'analytics WITHDRAWN', 'marketing WITHDRAWN']),
      );
      expect(decisions).toHaveLength(4);
    }
  },
  120_000 + KILLS * 30_000,
);
