import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { startWorld, type World } from '../support/world.js';

/** How long is written; FAULTS_SECONDS makes it long. */
const LASTS_MS = Number(process.env['FAULTS_SECONDS'] ?? 5) * 1_000;
/** As many as keep a role busy all the time: what it cannot take at once waits in line. */
const WRITERS = 64;
/** The pause between two looks at one role. */
const LOOK_EVERY_MS = 50;

let world: World;
beforeAll(async () => {
  world = await startWorld({ fourRoles: true, perRole: 1 });
}, 240_000);
afterAll(() => world?.stop());

it(
  'stays ready in every role while as much is written as this machine can take',
  async () => {
    const roles = world.roles!.instances();
    const writeApi = roles.find(({ role }) => role === 'write-api')!;
    let writing = true;
    let written = 0;
    const refused: unknown[] = [];
    const write = async (): Promise<void> => {
      const answer = await fetch(`${writeApi.url}/v1/consent`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${world.demo.secretKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ subject: world.visitor(), purpose: 'analytics', decision: 'GRANTED' }),
      });
      const text = await answer.text();
      if (answer.status === 201) written++;
      // A write may be too late for a machine that others use too. It is refused then, and that is no fault of the log.
      else if (answer.status !== 503) refused.push(text);
    };
    const looks = new Map(roles.map(({ role }) => [role, 0]));
    const red: unknown[] = [];
    const writers = Array.from({ length: WRITERS }, async () => {
      while (writing) await write();
    });
    const watchers = roles.map(async ({ role, url }) => {
      for (; writing; await pause(LOOK_EVERY_MS)) {
        const answer = await fetch(`${url}/readyz`);
        const body: unknown = await answer.json();
        looks.set(role, looks.get(role)! + 1);
        if (answer.status !== 200) red.push({ role, body });
      }
    });
    await pause(LASTS_MS);
    writing = false;
    await Promise.all([...writers, ...watchers]);
    expect({ refused, red }).toEqual({ refused: [], red: [] });
    expect(written).toBeGreaterThan(0);
    for (const looked of looks.values()) expect(looked).toBeGreaterThan(0);
    const rate = Math.round((written / LASTS_MS) * 1_000);
    process.stderr.write(
      `${rate} writes/s, ${[...looks].map(([role, n]) => `${role} ready in all of ${n} looks`).join(', ')}\n`,
    );
    // What was written is in the rows in the end.
    await world.caughtUp();
  },
  300_000 + LASTS_MS,
);
