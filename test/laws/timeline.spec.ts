import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { requestStreamsOf } from '../../libs/data-requests/index.js';
import { Database } from '../../libs/engines/database/database.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { eventsOfStreams, familyOfSubject } from '../../libs/subject-archive/index.js';
import { subjectStream, type Scope } from '../../libs/kernel/index.js';
import { startWorld, type Answer, type World } from '../support/world.js';
import { runsOf } from './subject-commands.js';

/* The timeline of a person holds every event of the family exactly once, in the order of the log, however it is paged. */

const PEOPLE = 3;

let world: World;
let scope: Scope;
let database: Database;
let log: PostgresEventLog;
beforeAll(async () => {
  world = await startWorld();
  scope = { site: world.demo.site, env: 'test' };
  database = new Database(world.databaseUrl!, { max: 2, budgetMs: 60_000 });
  log = new PostgresEventLog(database);
});
afterAll(async () => {
  await log?.close();
  await database?.close();
  await world?.stop();
});

type Verb = 'verify' | 'start' | 'hold' | 'resume' | 'extend' | 'reject' | 'cancel';
type Done =
  | { do: 'consent'; who: number; purpose: string; decision: string }
  | { do: 'preference'; who: number; value: boolean }
  | { do: 'confirmation' | 'erase' | 'restrict' | 'lift-restriction' | 'link'; who: number }
  | { do: 'merge'; who: number; other: number }
  | { do: 'revert'; which: number }
  | { do: 'request'; who: number; type: string }
  | { do: 'step'; which: number; verb: Verb };

const who = fc.nat(PEOPLE - 1);
const which = fc.nat(5);
const writing: fc.Arbitrary<Done> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('consent' as const),
      who,
      purpose: fc.constantFrom('analytics', 'marketing'),
      decision: fc.constantFrom('GRANTED', 'DENIED'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('preference' as const), who, value: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('confirmation' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      who,
      type: fc.constantFrom('ACCESS', 'RESTRICTION', 'OBJECTION'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      which,
      verb: fc.constantFrom<Verb>('verify', 'verify', 'start', 'start', 'hold', 'resume', 'extend', 'reject', 'cancel'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restrict' as const, 'lift-restriction' as const), who }) },
);
const happening: fc.Arbitrary<Done> = fc.oneof(
  { weight: 14, arbitrary: writing },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge' as const), who, other: who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revert' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('erase' as const, 'link' as const), who }) },
);

/** People of whom nothing is known yet, and what was done about them. */
class People {
  private readonly name = randomBytes(6).toString('hex');
  private readonly requests: string[] = [];
  private readonly merges: string[] = [];
  private position = '0';

  refOf(one: number): string {
    return `email:p${one}@${this.name}.example`;
  }

  /** What cannot be done is refused, which changes nothing. */
  async carryOut(asked: Done): Promise<void> {
    switch (asked.do) {
      case 'consent': {
        const { purpose, decision } = asked;
        return this.post('/v1/consent', { subject: this.refOf(asked.who), purpose, decision });
      }
      case 'preference': {
        const values = [{ field: 'channels.email.topics.product_updates', value: asked.value }];
        return this.post('/v1/preferences', { subject: this.refOf(asked.who), values });
      }
      case 'confirmation': {
        const values = [{ field: 'news', value: true }];
        const body = { subject: this.refOf(asked.who), channel: 'email', values };
        return this.post('/v1/preferences/confirmation-token', { ...body, redirectUrl: 'https://demo.example/thanks' });
      }
      case 'request': {
        const { type } = asked;
        const answer = await this.write('/v1/data-requests', { subject: this.refOf(asked.who), type });
        if (answer.status < 300) this.requests.push(answer.body.id as string);
        return;
      }
      case 'step': {
        const id = this.requests[asked.which % Math.max(1, this.requests.length)];
        if (id === undefined) return;
        return this.post(`/v1/data-requests/${id}/${asked.verb}`, BODIES[asked.verb]);
      }
      case 'merge': {
        const body = { sources: [this.refOf(asked.who)], target: this.refOf(asked.other) };
        const answer = await this.write('/v1/subjects/merge', body);
        if (answer.status < 300) this.merges.push(answer.body.mergeId as string);
        return;
      }
      case 'revert': {
        const id = this.merges[asked.which % Math.max(1, this.merges.length)];
        return id === undefined ? undefined : this.post(`/v1/subjects/merge/${id}/revert`, {});
      }
      case 'link':
        return this.post(`${this.pathOf(asked.who)}/identifiers`, {
          kind: 'user_id',
          value: `${this.name}-${asked.who}`,
        });
      case 'erase':
        return this.post(`${this.pathOf(asked.who)}/erase`, { reason: 'DATA_SUBJECT_REQUEST' });
      case 'restrict':
      case 'lift-restriction':
        return this.post(`${this.pathOf(asked.who)}/${asked.do}`, {});
    }
  }

  private pathOf(one: number): string {
    return `/v1/subjects/${encodeURIComponent(this.refOf(one))}`;
  }

  private async post(path: string, body: object | undefined): Promise<void> {
    await this.write(path, body);
  }

  private async write(path: string, body: object | undefined): Promise<Answer> {
    const answer = await world.request('POST', path, { key: 'sk', ...(body && { body }) });
    this.position = (answer.headers['x-log-position'] as string | undefined) ?? this.position;
    return answer;
  }

  page(one: number, query: string): Promise<Answer> {
    const headers = { 'X-Log-Position': this.position };
    return world.request('GET', `${this.pathOf(one)}/timeline?${query}`, { key: 'sk', headers });
  }

  history(one: number): Promise<Answer> {
    return world.request('GET', `${this.pathOf(one)}/consent/history`, { key: 'sk' });
  }

  async idOf(one: number): Promise<string | null> {
    const { status, body } = await world.request('GET', this.pathOf(one), { key: 'sk' });
    return status === 200 ? (body.id as string) : null;
  }
}

/** Steps that read a body. */
const BODIES: Partial<Record<Verb, object>> = {
  verify: {},
  extend: {},
  hold: { reason: 'AWAITING_REQUESTER' },
  reject: { reasonCode: 'EXCESSIVE' },
  cancel: { reason: 'OPENED_BY_MISTAKE' },
};

/** Position and type of all that stands in the log about a person, newest first. */
async function inTheLog(subjectId: string | null): Promise<[string, string][]> {
  if (subjectId === null) return [];
  const family = await familyOfSubject({ log, codec: COMPOSITION.codec }, scope, subjectId);
  const streams = [
    ...family.map((id) => subjectStream(scope, id)),
    ...(await requestStreamsOf(database, scope, family)),
  ];
  const found: [string, string][] = [];
  for await (const page of eventsOfStreams({ log }, streams, await log.head()))
    for (const { position, type } of page) found.push([String(position), snake(type)]);
  return found.reverse();
}

const snake = (type: string): string => type.replace(/[A-Z]/g, (letter, i) => `${i ? '_' : ''}${letter.toLowerCase()}`);

/** All pages, with something else happening between them. */
async function paged(
  people: People,
  one: number,
  query: string,
  limit: number,
  meanwhile: Done[],
): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body, text } = await people.page(one, `${query}limit=${limit}${cursor && `&cursor=${cursor}`}`);
    if (status !== 200) throw new Error(text);
    expect(body.hasMore).toBe(body.nextCursor !== null);
    found.push(
      ...(body.data as Record<string, string>[]).map((item): [string, string] => [item['position']!, item['type']!]),
    );
    cursor = body.nextCursor as string | null;
    const next = meanwhile.shift();
    if (next) await people.carryOut(next);
  }
  return found;
}

/** No person is erased in it: what happened is still told. */
const OF_EVERY_KIND: Done[] = [
  { do: 'consent', who: 0, purpose: 'analytics', decision: 'GRANTED' },
  { do: 'preference', who: 1, value: false },
  { do: 'request', who: 1, type: 'ACCESS' },
  { do: 'confirmation', who: 1 },
  { do: 'step', which: 0, verb: 'verify' },
  { do: 'merge', who: 1, other: 0 },
  { do: 'restrict', who: 0 },
  { do: 'step', which: 0, verb: 'start' },
  { do: 'revert', which: 0 },
  { do: 'merge', who: 0, other: 1 },
];

it('every event of the family comes once and in order, whatever the size of the pages and while others are written', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 15, maxLength: 40 }),
      fc.array(writing, { maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      async (happened, meanwhile, limit) => {
        const people = new People();
        for (const one of happened) await people.carryOut(one);
        for (let one = 0; one < PEOPLE; one++) {
          const wanted = await inTheLog(await people.idOf(one));
          for (const [, type] of wanted) seen.add(type);
          expect(await paged(people, one, '', limit, [...meanwhile])).toEqual(wanted);
          expect((await people.page(one, 'limit=1')).status).toBe((await people.history(one)).status);
          const types = [...new Set(wanted.map(([, type]) => type))].filter((_, i) => i % 2 === 0);
          if (types.length === 0) continue;
          const some = (await inTheLog(await people.idOf(one))).filter(([, type]) => types.includes(type));
          const query = types.map((type) => `types=${type}&`).join('');
          expect(await paged(people, one, query, limit, [])).toEqual(some);
        }
      },
    ),
    { ...runsOf(8), examples: [[OF_EVERY_KIND, [{ do: 'preference', who: 0, value: true }], 2]] },
  );
  // What the law is about has happened.
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      'consent_recorded',
      'preference_set',
      'preference_confirmation_requested',
      'subjects_merged',
      'subject_merge_reverted',
      'subject_restricted',
      'data_request_received',
      'data_request_verified',
    ]),
  );
});
