import { randomBytes } from 'node:crypto';
import type { Answer, Ask, World } from './world.js';

/** The path of a subject by a reference or id. */
export const subjectPath = (ref: string, rest = ''): string => `/v1/subjects/${encodeURIComponent(ref)}${rest}`;

export const newEmail = (): string => `${randomBytes(8).toString('hex')}@example.org`;
export const newKey = (): string => `key-${randomBytes(12).toString('hex')}`;

/** What an error says, as far as a program looks at it. */
export const refused = ({ status, body }: Answer): [number, string, string | undefined] => [
  status,
  body?.code as string,
  body?.issues?.[0]?.path as string | undefined,
];

export interface Subjects {
  post(path: string, body: unknown, key?: string, ask?: Ask): Promise<Answer>;
  create(identifiers: unknown[], more?: Record<string, unknown>, key?: string): Promise<Answer>;
  /** The id of a new person known by an e-mail address. */
  person(email?: string): Promise<string>;
  /** The id of a new anonymous visitor of this reference, who decided this. */
  visitor(ref: string, decisions?: Record<string, string>): Promise<string>;
  decide(ref: string, decisions: Record<string, string>, more?: Record<string, unknown>): Promise<Answer>;
  get(ref: string): Promise<Answer>;
  merge(sources: string[], target: string, more?: Record<string, unknown>, key?: string): Promise<Answer>;
  revert(mergeId: string, key?: string): Promise<Answer>;
  erase(ref: string, key?: string): Promise<Answer>;
  /** State by purpose, folded. */
  states(ref: string, query?: string, ask?: Ask): Promise<Record<string, string>>;
  history(ref: string, query?: string): Promise<Answer>;
}

/** Operations on subjects, by a world that starts later. */
export function subjectsIn(world: () => World): Subjects {
  const self: Subjects = {
    // Under a key, so that what has to be asked again has one effect.
    post: (path, body, key = newKey(), ask = {}) =>
      world().request('POST', path, { ...ask, body, headers: { 'Idempotency-Key': key, ...ask.headers } }),
    create: (identifiers, more = {}, key) => self.post('/v1/subjects', { identifiers, ...more }, key),
    person: async (email = newEmail()) => (await self.create([{ kind: 'email', value: email }])).body.id as string,
    visitor: async (ref, decisions = { analytics: 'GRANTED' }) =>
      (await self.decide(ref, decisions)).body.results[0].record.subject.id as string,
    decide: async (ref, decisions, more = {}) => {
      const answer = await self.post('/v1/consent/batch', {
        records: Object.entries(decisions).map(([purpose, decision]) => ({ subject: ref, purpose, decision, ...more })),
      });
      if (answer.body.summary?.rejected !== 0) throw new Error(answer.text);
      return answer;
    },
    get: (ref) => world().request('GET', subjectPath(ref)),
    merge: (sources, target, more = {}, key) => self.post('/v1/subjects/merge', { sources, target, ...more }, key),
    revert: (mergeId, key) => self.post(`/v1/subjects/merge/${mergeId}/revert`, {}, key),
    erase: (ref, key) => self.post(subjectPath(ref, '/erase'), {}, key),
    states: async (ref, query = '', ask = {}) => {
      const { status, body, text } = await world().request('GET', subjectPath(ref, `/consent?fresh=true${query}`), ask);
      if (status !== 200) throw new Error(text);
      return Object.fromEntries(
        Object.entries(body.purposes as Record<string, { state: string }>)
          .map(([purpose, { state }]) => [purpose, state])
          .filter(([, state]) => state !== 'NOT_COLLECTED'),
      );
    },
    history: (ref, query = '') => world().request('GET', subjectPath(ref, `/consent/history${query}`)),
  };
  return self;
}
