import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { generator } from '../support/generator.js';
import { pathOf, type Answer, type World } from '../support/world.js';

const DECISIONS = ['GRANTED', 'DENIED', 'WITHDRAWN'];
const PURPOSES = ['analytics', 'marketing', 'sale_of_data'];

/** How long an operation rests before it is sent again, and how many may rest at once. */
const AGAIN_AFTER_MS = 300;
const MOST_WAITING = 200;
/** How long an operation is sent again after all else has ended, on a machine under load. */
const PATIENCE_MS = 120_000;

interface Operation {
  key: string;
  path: '/v1/consent' | '/v1/consent/batch';
  body: { records: { subject: string }[] } | { subject: string };
  /** The first answer that reached us. */
  acknowledged: Answer | null;
}

/** How a request is sent; a fault can stand in between. */
export type Send = (operation: { key: string; path: string; body: unknown }) => Promise<Answer>;

export interface LoadOptions {
  seed: number;
  writers?: number;
  visitors?: number;
  send?: Send;
}

/**
 * Writers that never give up: each operation has its idempotency key and is sent again until it is acknowledged. After
 * whatever happened meanwhile, `check` holds the service to its promises.
 */
export class Load {
  readonly visitors: string[];
  private readonly random: () => number;
  private readonly done: Operation[] = [];
  /** Sent, and not acknowledged yet. */
  private readonly waiting: { operation: Operation; from: number }[] = [];
  private readonly send: Send;
  private running: Promise<unknown> | null = null;
  private stopping = false;

  constructor(
    private readonly world: World,
    private readonly options: LoadOptions,
  ) {
    this.random = generator(options.seed);
    this.visitors = Array.from({ length: options.visitors ?? 12 }, () => world.visitor());
    this.send =
      options.send ??
      (({ key, path, body }) => world.request('POST', path, { key: 'sk', body, headers: { 'Idempotency-Key': key } }));
  }

  /** Acknowledged so far. */
  /** Requests whose answer never came: a kill was in their midst. */
  cutOff = 0;

  get count(): number {
    return this.done.length;
  }

  start(): void {
    this.running = Promise.all(Array.from({ length: this.options.writers ?? 16 }, () => this.write()));
  }

  /** No new operations; those under way are brought to their end. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
    for (const { operation } of this.waiting.splice(0)) {
      operation.acknowledged = await this.patiently(() => this.attempt(operation));
      this.done.push(operation);
    }
  }

  /** Goes on with others while one has to wait, so that there is load at every moment and not only retries. */
  private async write(): Promise<void> {
    while (!this.stopping) {
      const due =
        this.waiting.length > 0 && (this.waiting.length >= MOST_WAITING || this.waiting[0]!.from <= Date.now());
      const operation = due ? this.waiting.shift()!.operation : this.next();
      operation.acknowledged = await this.attempt(operation);
      if (operation.acknowledged) this.done.push(operation);
      else {
        this.waiting.push({ operation, from: Date.now() + AGAIN_AFTER_MS });
        await pause(10);
      }
    }
  }

  private next(): Operation {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(this.random() * list.length)]!;
    const record = () => ({ subject: pick(this.visitors), purpose: pick(PURPOSES), decision: pick(DECISIONS) });
    const key = randomUUID();
    return this.random() < 0.15
      ? {
          key,
          path: '/v1/consent/batch',
          body: { records: Array.from({ length: 1 + Math.floor(this.random() * 6) }, record) },
          acknowledged: null,
        }
      : { key, path: '/v1/consent', body: record(), acknowledged: null };
  }

  /** Null where it has to be sent again: the connection broke, or the service asked for it. */
  private async attempt(operation: Operation): Promise<Answer | null> {
    const answer = await this.send(operation).catch((error: NodeJS.ErrnoException) => {
      // One that is refused was never begun, so no kill cut it off.
      if (error.code !== 'ECONNREFUSED') this.cutOff++;
      return null;
    });
    if (!answer || answer.status === 503 || answer.status === 409) return null;
    if (answer.status !== 201 && answer.status !== 200) throw new Error(`unexpected ${answer.status}: ${answer.text}`);
    // An item that met a rival or an outage is refused with its own code; the batch is sent again under its key.
    const items = (answer.body as { results?: { error?: { code: string } }[] }).results ?? [];
    return items.some(({ error }) => error?.code === 'state_conflict') ? null : answer;
  }

  /** Acknowledged writes: none lost, none doubled, each replayed to the byte; revisions without gap; rows equal to the fold. */
  async check(): Promise<void> {
    for (const operation of this.done) {
      const again = await this.patiently(() => this.attempt(operation));
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.text).toBe(operation.acknowledged!.text);
    }
    const acknowledged = new Map<string, string[]>(this.visitors.map((visitor) => [visitor, []]));
    for (const { acknowledged: answer, body } of this.done) {
      if ('records' in body) {
        (answer!.body.results as { status: string; record: { id: string } }[]).forEach(({ status, record }, index) => {
          expect(status).toBe('RECORDED');
          acknowledged.get(body.records[index]!.subject)!.push(record.id);
        });
      } else acknowledged.get(body.subject)!.push(answer!.body.id as string);
    }
    await this.world.caughtUp();
    for (const visitor of this.visitors) {
      const history = await wholeHistory(this.world, visitor);
      expect(history.map(({ id }) => id).sort()).toEqual(acknowledged.get(visitor)!.sort());
      expect(history.map(({ sequence }) => sequence)).toEqual(
        Array.from(history, (_, index) => history.length + 1 - index),
      );
      const [row, folded] = await Promise.all([
        this.world.request('GET', pathOf(visitor)),
        this.world.request('GET', pathOf(visitor, '?fresh=true')),
      ]);
      expect({ ...row.body, asOf: '' }).toEqual({ ...folded.body, asOf: '' });
    }
    process.stderr.write(`${this.done.length} requests acknowledged, lost 0, doubled 0 (seed ${this.options.seed})\n`);
  }

  private async patiently(ask: () => Promise<Answer | null>): Promise<Answer> {
    for (const until = Date.now() + PATIENCE_MS; ; await pause(50)) {
      const answer = await ask();
      if (answer) return answer;
      if (Date.now() > until) throw new Error(`no answer within ${PATIENCE_MS / 1000} s`);
    }
  }
}

export async function wholeHistory(world: World, visitor: string): Promise<{ id: string; sequence: number }[]> {
  const items: { id: string; sequence: number }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Answer = await world.request(
      'GET',
      pathOf(visitor, `/history?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`),
    );
    items.push(...(page.body.data as { id: string; sequence: number }[]));
    cursor = page.body.nextCursor as string | null;
  }
  return items;
}
