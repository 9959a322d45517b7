import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { asking } from '../support/asking.js';
import { settlesWithin } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';
import { wholeHistory } from './load.js';

/** FAULTS_STOPS makes it long. */
const STOPS = Number(process.env['FAULTS_STOPS'] ?? 4);
const WRITERS = 16;
/** What the service allows for headers is 10 s. It looks every second; Node's own interval would make it 30 s and more. */
const HEADERS_CUT_WITHIN_MS = 20_000;
/** For so long after it stopped to listen the service lets a connection at rest be used once more. */
const MAY_REST_MS = 1_000;
const LOOKS_EVERY_MS = 50;

/** Whether a load has kept this process from doing anything for so long that its connections were at rest without its will. */
function heldUp(): { lately: () => boolean; end: () => void } {
  let [looked, held] = [performance.now(), -Infinity];
  const look = (): void => {
    const now = performance.now();
    if (now - looked > MAY_REST_MS / 2) held = now;
    looked = now;
  };
  const looking = setInterval(look, LOOKS_EVERY_MS);
  return {
    lately: () => {
      look();
      return performance.now() - held < 5 * MAY_REST_MS;
    },
    end: () => clearInterval(looking),
  };
}

let world: World;
beforeAll(async () => {
  world = await startWorld({ breakable: true });
});
afterAll(() => world?.stop());

// First, because Node's own interval begins with the process.
it('cuts off who sends headers drop by drop', async () => {
  const { port } = new URL(world.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined).setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Drops: ');
  const drops = setInterval(() => socket.write('.'), 200);
  const cut = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  try {
    expect(await settlesWithin(HEADERS_CUT_WITHIN_MS, cut)).toBe(true);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .+"malformed_json"/s);
  } finally {
    clearInterval(drops);
    socket.destroy();
  }
});

it(
  `resets nobody and does nothing twice, in ${STOPS} stops under ${WRITERS} writers that keep their connections`,
  async () => {
    const { secretKey } = world.demo;
    const { exchange, close } = asking(world.url, () => secretKey);
    let stopping = true;
    let refused = 0;
    const answered: number[] = Array(WRITERS).fill(0);
    const failed: string[] = [];
    const load = heldUp();
    /**
     * Writes without a key, so that a write whose answer is lost could not be repeated. Answers how many were acknowledged,
     * and of how many a machine under load did not say what became of them: the service not within its two seconds, or
     * this process did not use a connection within the time that it may rest.
     */
    const write = async (subject: string, writer: number): Promise<{ acknowledged: number; unsure: number }> => {
      let [acknowledged, unsure] = [0, 0];
      while (stopping) {
        const body = { subject, purpose: 'analytics', decision: acknowledged % 2 === 0 ? 'GRANTED' : 'DENIED' };
        try {
          const { status, text } = await exchange('POST', '/v1/consent', { body });
          answered[writer]! += 1;
          if (status === 201) acknowledged += 1;
          else if (text.includes('"dependency_unavailable"')) unsure += 1;
          else failed.push(text);
        } catch (error) {
          // A connection that was not made: nothing was sent on it. Under load one is reset in the moment in which the
          // service stops listening, before it could be accepted; the others are refused until the next start.
          const { syscall, isOnNewConnection } = error as NodeJS.ErrnoException & { isOnNewConnection?: boolean };
          if (syscall !== 'connect') {
            if (isOnNewConnection || load.lately()) unsure += 1;
            else failed.push(String(error));
          }
          refused += 1;
          await pause(20);
        }
      }
      return { acknowledged, unsure };
    };
    const subjects = Array.from({ length: WRITERS }, () => world.visitor());
    const writing = Promise.all(subjects.map(write));
    for (let stop = 0; stop < STOPS; stop++) {
      // Every writer has had answers since the start, and so holds a connection.
      const before = [...answered];
      await until(() => answered.every((count, writer) => count >= before[writer]! + 4));
      await world.restart();
    }
    stopping = false;
    const written = await writing;
    close();
    load.end();
    expect({ failed, refused: refused > 0 }).toEqual({ failed: [], refused: true });
    const total = (which: 'acknowledged' | 'unsure'): number => written.reduce((sum, one) => sum + one[which], 0);
    expect(total('acknowledged')).toBeGreaterThan(total('unsure'));
    for (const [index, subject] of subjects.entries()) {
      const { acknowledged, unsure } = written[index]!;
      const { length } = await wholeHistory(world, subject);
      expect(length).toBeGreaterThanOrEqual(acknowledged);
      expect(length).toBeLessThanOrEqual(acknowledged + unsure);
    }
  },
  60_000 + STOPS * 30_000,
);
