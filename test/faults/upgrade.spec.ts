import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keep } from '../support/keeper.mjs';
import { freePort } from '../support/free-port.js';
import { finish, launch, type Running } from '../support/processes.js';
import { buildScratchRelease } from '../support/scratch-release.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';

/*
 * A rolling upgrade that brings a new type of event: this release, and one that is built of the same source with one
 * context more, run side by side on one database.
 */

const SETTLES_WITHIN_MS = 240_000;

/** What the newer release brings: an event about subjects, and an operation that records it. */
const REVIEWS = `
import { randomUUID } from 'node:crypto';
import { Controller, HttpCode, Inject, Module, Post } from '@nestjs/common';
import { BY_SECRET_KEY, KB } from '../access/index.js';
import { defineContext } from '../context/define-context.js';
import { Codec, defineEvent } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { Stream } from '../streams/stream.js';
import { EVENT_LOG } from '../log/tokens.js';
import { refusal, subjectStream, systemClock, type DomainEvent } from '../kernel/index.js';
import { CallerOf, Input, type Caller } from '../http/caller.js';
import { Text } from '../http/contract/fields.js';
import { Operation } from '../http/contract/operation.js';

type SubjectReviewed = DomainEvent<'SubjectReviewed', { reason: string }>;

export class ReviewDto {
  @Text({ description: 'Id of the subject.', example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 100 }) subjectId!: string;
}

@Controller('v1/reviews')
export class ReviewsController {
  private readonly streams: Stream<null, SubjectReviewed>;

  constructor(@Inject(EVENT_LOG) log: EventLog, codec: Codec) {
    const contended = () => refusal('state_conflict', 'Others are writing at the same time.', 'Try again.');
    this.streams = new Stream(log, codec, { on: [], initial: () => null, evolve: () => null, contended });
  }

  @Post()
  @HttpCode(201)
  @Operation('reviewSubject')
  async review(@CallerOf() caller: Caller, @Input() { subjectId }: ReviewDto): Promise<ReviewDto> {
    const event = { type: 'SubjectReviewed', data: { reason: 'yearly' } } as const;
    const metadata = { actor: 'system:review', recordedAt: systemClock() };
    const append = [{ event, id: randomUUID(), metadata }];
    await this.streams.execute(subjectStream(caller, subjectId), undefined, () => ({ append, answer: () => null }));
    return { subjectId };
  }
}

@Module({ controllers: [ReviewsController] })
export class ReviewsModule {}

export const reviewsContext = defineContext({
  name: 'reviews',
  events: [defineEvent({ type: 'SubjectReviewed', version: 1, personal: [] })],
  operations: [
    {
      ...BY_SECRET_KEY,
      id: 'reviewSubject',
      roles: ['SUPPORT'],
      method: 'POST',
      path: '/v1/reviews',
      scope: null,
      subject: null,
      bodyLimit: 4 * KB,
      tag: 'Reviews',
      summary: 'Note a review',
      description: 'Notes that a subject was reviewed.',
      body: { contract: ReviewDto, examples: { review: { subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' } } },
      answers: [{ status: 201, description: 'Noted.', contract: ReviewDto, example: { subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' } }],
      refusals: ['validation_failed', 'state_conflict'],
    },
  ],
  modules: { 'write-api': [ReviewsModule] },
});
`;

interface Answer {
  status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs read what they expect
  body: any;
}

/** One release as a running process. */
interface Release {
  running: Running;
  dataFolder: string;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  said: string[];
}

let folder: string;
let keeper: ReturnType<typeof keep>;
let database: WriteDatabase;
let secretKey = '';
const masterKey = randomBytes(32).toString('base64');
const releases: Release[] = [];

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + SETTLES_WITHIN_MS; !(await isSo()); await pause(50))
    if (Date.now() > deadline)
      throw new Error(`not in time: ${what}\n${releases.map(({ said }) => said.slice(-20).join('')).join('\n')}`);
}

async function start(name: string, root?: string): Promise<Release> {
  const port = await freePort();
  const said: string[] = [];
  const dataFolder = join(folder, name);
  const env = {
    PORT: String(port),
    ASSENT_DATA: dataFolder,
    DATABASE_URL: database.url,
    ASSENT_MASTER_KEY: masterKey,
    ASSENT_DEMO: 'on',
  };
  const running = launch('standalone', [], env, said, root);
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(secretKey && { Authorization: `Bearer ${secretKey}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json().catch(() => null)) as unknown };
  };
  const release = { running, dataFolder, ask, said };
  releases.push(release);
  await until(`${name} is ready`, () =>
    ask('GET', '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return release;
}

let older: Release;
let newer: Release;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-upgrade-'));
  keeper = keep(folder);
  const root = join(folder, 'newer');
  await buildScratchRelease(root, {
    files: [['libs/reviews/context.ts', REVIEWS]],
    contextImport: `import { reviewsContext } from '../reviews/context.js';`,
    contextEntry: '  reviewsContext,',
  });
  database = await startWriteDatabase();
  older = await start('older');
  ({ secretKey } = JSON.parse(readFileSync(join(older.dataFolder, 'demo.json'), 'utf8')) as { secretKey: string });
  newer = await start('data-of-newer', root);
}, 600_000);
afterAll(async () => {
  await Promise.all(releases.map(({ running }) => finish(running, 'SIGKILL')));
  await database?.stop();
  await keeper?.clean();
});

const recording = (by: Release, subject: string, decision = 'GRANTED'): Promise<Answer> =>
  by.ask('POST', '/v1/consent', { subject, purpose: 'analytics', decision });
const visitor = (): string => `visitor_id:${randomUUID().replaceAll('-', '')}`;
const consentOf = (subject: string, rest = ''): string => `/v1/subjects/${encodeURIComponent(subject)}/consent${rest}`;

interface Shard {
  name: string;
  position: string;
  status: string;
  owner: string | null;
}
const shards = (): Promise<Shard[]> =>
  database.database.run<Shard>(
    `select name, position::text, status, owner from projection.shards where name in ('consent_state', 'preference_state') order by name`,
  );
const head = async (): Promise<bigint> =>
  (await database.database.run<{ head: bigint }>('select max(position) as head from log.events'))[0]!.head;
async function rowsAreComplete(): Promise<void> {
  const through = await head();
  await until('rows are complete', async () =>
    (await shards()).every(({ position, status }) => status === 'running' && BigInt(position) >= through),
  );
}

it('an older release leaves alone what it does not know, and a newer one beside it serves everything', async () => {
  const ada = visitor();
  const { body: first } = await recording(older, ada);
  const ref = `subject:${first.subject.id}`;
  await rowsAreComplete();
  const before = await shards();

  // The newer one writes what the older one has never heard of.
  expect((await newer.ask('POST', '/v1/reviews', { subjectId: first.subject.id })).status).toBe(201);
  expect((await older.ask('POST', '/v1/reviews', { subjectId: first.subject.id })).status).toBe(404);

  // The older one neither writes to that stream, nor shows what it cannot understand, and says whom to ask.
  for (const refused of [
    await recording(older, ada, 'DENIED'),
    await older.ask('GET', consentOf(ref, '?fresh=true')),
    await older.ask('GET', consentOf(ref, '/history')),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([503, 'dependency_unavailable']);
    expect(refused.body.hint).toContain('newer');
  }
  // All other streams are written by both.
  const others = [visitor(), visitor()];
  expect((await recording(older, others[0]!)).status).toBe(201);
  expect((await recording(newer, others[1]!)).status).toBe(201);

  // Its projectors step aside, and those of the newer one go on.
  await rowsAreComplete();
  for (const [i, shard] of (await shards()).entries()) expect(shard.owner).not.toBe(before[i]!.owner);
  expect((await recording(newer, ada, 'DENIED')).status).toBe(201);
  await rowsAreComplete();
  for (const [subject, state] of [
    [ada, 'WITHDRAWN'],
    [others[0]!, 'GRANTED'],
    [others[1]!, 'GRANTED'],
  ] as const) {
    const [row] = await database.database.run<{ state: { purposes: Record<string, { state: string }> } }>(
      'select state from read.consent_state where subject_id = $1',
      [(await newer.ask('GET', consentOf(subject))).body.subject.id],
    );
    expect(row!.state.purposes['analytics']!.state).toBe(state);
  }

  // Whoever wants to be forgotten is forgotten by the older one too.
  const bob = visitor();
  const { body: of } = await recording(newer, bob);
  expect((await newer.ask('POST', '/v1/reviews', { subjectId: of.subject.id })).status).toBe(201);
  expect((await older.ask('POST', `/v1/subjects/${encodeURIComponent(bob)}/erase`, {})).status).toBe(200);
  for (const release of [older, newer])
    expect((await release.ask('GET', consentOf(`subject:${of.subject.id}`))).status).toBe(410);

  // The older one ends: what it could not answer is answered, and nothing is missing.
  await finish(older.running, 'SIGTERM');
  releases.splice(releases.indexOf(older), 1);
  expect((await recording(newer, ada)).status).toBe(201);
  const { body: history } = await newer.ask('GET', consentOf(ref, '/history'));
  expect(history.data.map(({ decision }: { decision: string }) => decision)).toEqual(['GRANTED', 'DENIED', 'GRANTED']);
  await rowsAreComplete();
  expect((await newer.ask('GET', consentOf(ada))).body.purposes.analytics.state).toBe('GRANTED');
  expect((await newer.ask('GET', '/readyz')).status).toBe(200);
}, 600_000);
