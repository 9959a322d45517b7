import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { generator } from '../support/generator.js';
import { subjectPath } from '../support/subjects.js';
import { pathOf, type Answer, type World } from '../support/world.js';
import { wholeHistory } from './load.js';

/** A service that is killed again and again answers between its starts, which a machine under load makes slow. */
const PATIENCE_MS = 600_000;

const ENDINGS = ['merged', 'reverted', 'erased'] as const;

interface Sent {
  path: string;
  body: unknown;
  key: string;
  answer: Answer;
}

/** A visitor who turns out to be somebody, and a second one who is merged into that person. */
interface Story {
  visitor: string;
  other: string;
  person: string;
  ending: (typeof ENDINGS)[number];
  sent: Sent[];
}

/** Writers that link, merge, revert and erase, each request sent again under its key until it is acknowledged. */
export class Families {
  readonly done: Story[] = [];
  private readonly random: () => number;
  private running: Promise<unknown> | null = null;
  private stopping = false;

  constructor(
    private readonly world: World,
    private readonly seed: number,
  ) {
    this.random = generator(seed);
  }

  start(writers = 6): void {
    this.running = Promise.all(
      Array.from({ length: writers }, async () => {
        while (!this.stopping) this.done.push(await this.tell());
      }),
    );
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async tell(): Promise<Story> {
    const story: Story = {
      visitor: this.world.visitor(),
      other: this.world.visitor(),
      person: randomUUID(),
      ending: ENDINGS[Math.floor(this.random() * ENDINGS.length)]!,
      sent: [],
    };
    const { visitor, other, person, ending, sent } = story;
    const post = async (path: string, body: unknown): Promise<Answer> => {
      const key = randomUUID();
      const answer = await this.acknowledged(path, body, key);
      sent.push({ path, body, key, answer });
      return answer;
    };
    await post('/v1/consent', { subject: visitor, purpose: 'marketing', decision: 'GRANTED' });
    await post('/v1/consent', { subject: other, purpose: 'marketing', decision: 'DENIED' });
    await post('/v1/subjects', { identifiers: [{ kind: 'user_id', value: person }] });
    await post(subjectPath(`user_id:${person}`, '/identifiers'), {
      kind: 'visitor_id',
      value: visitor.slice('visitor_id:'.length),
      carryOver: 'ALWAYS',
    });
    const merged = await post('/v1/subjects/merge', { sources: [other], target: `user_id:${person}` });
    if (ending === 'reverted') await post(`/v1/subjects/merge/${merged.body.mergeId}/revert`, {});
    if (ending === 'erased') await post(subjectPath(other, '/erase'), {});
    return story;
  }

  private async acknowledged(path: string, body: unknown, key: string): Promise<Answer> {
    for (const until = Date.now() + PATIENCE_MS; ; await pause(50)) {
      const answer = await this.world
        .request('POST', path, { key: 'sk', body, headers: { 'Idempotency-Key': key } })
        .catch(() => null);
      if (answer && answer.status < 300) return answer;
      const isPassing =
        answer === null ||
        answer.status === 503 ||
        ['idempotency_in_progress', 'state_conflict'].includes(answer.body?.code as string);
      if (!isPassing || Date.now() > until)
        throw new Error(`${path}: ${answer?.text ?? 'no answer within ten minutes'}`);
    }
  }

  /** What was acknowledged holds: who is one stays one, who was let go is alone, who was erased is nobody; each answer is given again. */
  async check(): Promise<void> {
    for (const { visitor, other, person, ending, sent } of this.done) {
      const [root, of, single] = await Promise.all(
        [`user_id:${person}`, visitor, other].map((ref) => this.world.request('GET', subjectPath(ref))),
      );
      if (ending === 'erased') {
        expect([root!.status, of!.status, single!.status]).toEqual([404, 404, 404]);
        const { path, body, key, answer } = sent.at(-1)!;
        expect((await this.acknowledged(path, body, key)).text).toBe(answer.text);
        const again = await this.world.request('POST', sent[0]!.path, {
          key: 'sk',
          body: sent[0]!.body,
          headers: { 'Idempotency-Key': sent[0]!.key },
        });
        expect([again.status, again.body.code]).toEqual([410, 'subject_erased']);
        continue;
      }
      expect(of!.body.id).toBe(root!.body.id);
      expect(single!.body.id === root!.body.id).toBe(ending === 'merged');
      for (const [ref, state, records] of ending === 'merged'
        ? [[visitor, 'DENIED', 2] as const]
        : [[visitor, 'GRANTED', 1] as const, [other, 'DENIED', 1] as const]) {
        const now = await this.world.request('GET', pathOf(ref, '?fresh=true'));
        expect(now.body.purposes.marketing.state).toBe(state);
        expect(await wholeHistory(this.world, ref)).toHaveLength(records);
      }
      for (const { path, body, key, answer } of sent)
        expect((await this.acknowledged(path, body, key)).text).toBe(answer.text);
    }
    process.stderr.write(`${this.done.length} families told to their end, none came apart (seed ${this.seed})\n`);
  }
}
