import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDbLog } from '../../libs/log/adapters/eventstoredb/eventstoredb.js';
import { anEvent } from '../../libs/log/contract/log.contract.js';
import { NO_STREAM } from '../../libs/log/port.js';
import { AdaptiveLimit } from '../../libs/engines/adaptive-limit.js';
import { startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';

/** How long is written at least; FAULTS_SECONDS makes it long. */
const LASTS_MS = Number(process.env['FAULTS_SECONDS'] ?? 5) * 1_000;
const WRITERS = 16;
/** Each sends one request again and again, and its answer is read from the log each time. */
const REPEATERS = 160;
/** So slow is the log with streams: reads are asked for faster than it answers them and wait in line, for little work. */
const STREAM_READS_TAKE_MS = 1_000;
/** How long whoever was refused waits before the next request. */
const AGAIN_AFTER_MS = 100;
/** The pause between two requests of one of them, in which others have their turn. */
const TURN_MS = 10;
/** The pause between two looks at one role. */
const LOOK_EVERY_MS = 50;
/** Looks at each role that count. A machine that is too busy to be judged is left alone after five minutes more. */
const LOOKS_MIN = 40;
const BUSY_AFTER_MS = 300_000;
/** A machine on which an idle client of the log, or a request that does nothing, waits for longer is not one to judge by. */
const KEEPS_UP_MS = 500;
/** Where they wait for longer than this, fewer requests are sent at once: as many as this machine does besides. */
const BUSY_MS = 200;
/** What was late is forgotten after this: readiness goes by the last five seconds. */
const JUDGED_AFTER_MS = 6_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ fourRoles: true, perRole: 1 });
}, 240_000);
afterAll(() => world?.stop());

/** How long something took, in ms; for ever where it failed. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  return work().then(
    () => performance.now() - begun,
    () => Infinity,
  );
}

it(
  'stays ready in every role while it is written to, and reads of a slow log wait in line',
  async () => {
    const roles = world.roles!.instances();
    const writeApi = roles.find(({ role }) => role === 'write-api')!;
    const { events } = world.engines!;
    const { ESDB_URL: url, ASSENT_LOG_PREFIX: prefix } = world.roles!.env;
    const idle = new EventStoreDbLog({ url: url!, prefix: prefix! });
    let writing = true;
    let written = 0;
    const wrong: unknown[] = [];
    const write = async (subject: string, key: string): Promise<void> => {
      const answer = await fetch(`${writeApi.url}/v1/consent`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${world.demo.secretKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify({ subject, purpose: 'analytics', decision: 'GRANTED' }),
      });
      const text = await answer.text();
      if (answer.status === 201) written++;
      // What has to wait for too long is refused, as it should be.
      else if (answer.status !== 503) wrong.push(text);
      else await pause(AGAIN_AFTER_MS);
    };
    const repeated = Array.from({ length: REPEATERS }, () => [world.visitor(), randomUUID()] as const);
    for (const [subject, key] of repeated) await write(subject, key);
    if (events) events.streamReadsTakeMs = STREAM_READS_TAKE_MS;

    let waitedMs = 0;
    const atOnce = new AdaptiveLimit({ least: 2, most: WRITERS + REPEATERS }, () => performance.now());
    const again = async (request: () => Promise<void>): Promise<void> => {
      for (; writing; await pause(TURN_MS)) {
        if (!atOnce.enter()) continue;
        await request();
        atOnce.leave(waitedMs > BUSY_MS ? 'late' : 'prompt');
      }
    };
    const writers = [
      ...Array.from({ length: WRITERS }, () => again(() => write(world.visitor(), randomUUID()))),
      ...repeated.map(([subject, key]) => again(() => write(subject, key))),
    ];
    const counted = new Map(roles.map(({ role }) => [role, 0]));
    const red: unknown[] = [];
    const watchers = roles.map(async ({ role, url }) => {
      for (let lateAt = -Infinity; writing; await pause(LOOK_EVERY_MS)) {
        const [answer, alive, head, append] = await Promise.all([
          fetch(`${url}/readyz`).then(async (readyz) => ({ status: readyz.status, body: await readyz.text() })),
          took(() => fetch(`${url}/livez`).then((livez) => livez.text())),
          took(() => idle.head()),
          took(() => idle.append(`other-${randomUUID()}`, NO_STREAM, [anEvent()])),
        ]);
        waitedMs = Math.max(alive, head, append);
        if (waitedMs > KEEPS_UP_MS) lateAt = performance.now();
        if (performance.now() - lateAt < JUDGED_AFTER_MS) continue;
        counted.set(role, counted.get(role)! + 1);
        if (answer.status !== 200) red.push({ role, alive, head, append, body: answer.body });
      }
    });
    const lastsUntil = performance.now() + LASTS_MS;
    const isEnough = (): boolean => {
      const least = performance.now() > lastsUntil + BUSY_AFTER_MS ? 0 : LOOKS_MIN;
      return (
        red.length > 0 || (performance.now() > lastsUntil && [...counted.values()].every((looks) => looks >= least))
      );
    };
    await until(isEnough);
    writing = false;
    await Promise.all([...writers, ...watchers]);
    if (events) events.streamReadsTakeMs = 0;
    await idle.close();
    expect({ wrong, red }).toEqual({ wrong: [], red: [] });
    expect(written).toBeGreaterThan(0);
    const looks = [...counted].map(([role, times]) => `${role} in ${times} looks`).join(', ');
    process.stderr.write(`${written} writes; ready: ${looks}\n`);
    // What was written is in the rows in the end.
    await world.caughtUp();
  },
  600_000 + LASTS_MS,
);
