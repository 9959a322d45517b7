import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generator } from '../support/generator.js';

const ROUNDS = Number(process.env['FAULTS_RACES'] ?? 30);
const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1e9);
const CONTENDERS = 6;
/** Sooner than this after the start of a race a contender is killed or frozen, in ms: while it takes the lock, or just after. */
const STRUCK_WITHIN_MS = 60;
/** Longer than anyone who trusts in a pause would wait. */
const FROZEN_MS_MAX = 60;
const PROGRAM = fileURLToPath(new URL('contender.mjs', import.meta.url));

let folder: string;
const contenders = new Set<Contender>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-folder-'));
});
afterEach(async () => {
  await Promise.all([...contenders].map((contender) => contender.kill()));
  rmSync(folder, { recursive: true, force: true });
});

/** A process that wants the folder. */
class Contender {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private readonly lines: AsyncIterator<string>;
  isKilled = false;

  constructor() {
    this.child = spawn(process.execPath, [PROGRAM, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.ended = once(this.child, 'close');
    this.child.stdin!.on('error', () => undefined);
    this.lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
    contenders.add(this);
  }

  /** Null where it died before it answered. */
  async next(): Promise<string | null> {
    const { done, value } = await this.lines.next();
    return done ? null : value;
  }

  ask(what: `go ${number}` | 'release'): Promise<string | null> {
    this.child.stdin!.write(`${what}\n`);
    return this.next();
  }

  /** Stops it where it is: a process that is slow lives as well as any other. */
  async freeze(ms: number): Promise<void> {
    this.child.kill('SIGSTOP');
    await pause(ms);
    this.child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.isKilled = true;
    this.child.kill('SIGKILL');
    await this.ended;
    contenders.delete(this);
  }
}

/** As many as a race needs, each ready to try. */
async function gathered(): Promise<Contender[]> {
  const added = Array.from({ length: CONTENDERS - contenders.size }, () => new Contender());
  await Promise.all(added.map(async (contender) => expect(await contender.next()).toBe('ready')));
  return [...contenders];
}

it(
  `a folder has at most one living holder, and gets one, in ${ROUNDS} races of processes that are killed and frozen`,
  async () => {
    const random = generator(SEED);
    const chosen = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const go = (): `go ${number}` => `go ${Math.floor(random() * 2 ** 32)}`;
    for (let round = 0; round < ROUNDS; round++) {
      const racing = await gathered();
      // In some races nobody dies, in the others up to half of them; up to half are slow. Each at a moment of its own.
      const some = (): Set<Contender> =>
        new Set(Array.from({ length: Math.floor(random() * 4) }, () => chosen(racing)));
      const [doomed, slow] = [some(), some()];
      const answers = racing.map(async (contender) => ({ contender, answer: await contender.ask(go()) }));
      const soon = (): Promise<void> => pause(random() * STRUCK_WITHIN_MS);
      await Promise.all([
        ...[...slow].map((contender) => soon().then(() => contender.freeze(random() * FROZEN_MS_MAX))),
        ...[...doomed].map((contender) => soon().then(() => contender.kill())),
      ]);
      const outcomes = await Promise.all(answers);
      const survivors = outcomes.filter(({ contender }) => !contender.isKilled);
      for (const { answer } of survivors) expect(['held', 'refused']).toContain(answer);
      const holders = survivors.filter(({ answer }) => answer === 'held').map(({ contender }) => contender);
      // Refused by one that was killed afterwards, all may have come away with nothing; whoever asks again gets it.
      if (holders.length === 0) {
        expect(doomed.size).toBeGreaterThan(0);
        expect(await survivors[0]!.contender.ask(go())).toBe('held');
        holders.push(survivors[0]!.contender);
      }
      expect({ seed: SEED, round, holders: holders.length }).toEqual({ seed: SEED, round, holders: 1 });
      const [holder] = holders;
      const other = survivors.find(({ contender }) => contender !== holder)!.contender;
      expect(await other.ask(go())).toBe('refused');
      if (random() < 0.2) expect(await holder!.ask('release')).toBe('released');
      else await holder!.kill();
    }
  },
  60_000 + ROUNDS * 2_000,
);
