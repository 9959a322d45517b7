import { purposeFile } from '../support/purposes.js';
import { newSite } from '../support/sites.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

/* What publishing would change for people, told before, is what follows when it is published. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type Impact = {
  purpose: string;
  country: string | null;
  askAgain: number;
  becomeBlocked: number;
  becomeAllowed: number;
};

const operate = (path: string, body: object): Promise<Answer> =>
  world.request('POST', `/admin/v1/sites${path}`, { key: 'operator', body });

/** A site of its own, with the first catalogue. */
async function siteWith(folder: object): Promise<{ site: string; sk: string }> {
  const { site, secretKey, apply } = await newSite(world);
  expect((await apply(folder)).body).toMatchObject({ published: true });
  return { site, sk: secretKey };
}
const purpose = (key: string, over: object = {}, text = 'First words.') =>
  purposeFile(key, { translations: { en: { name: key, description: text } }, ...over });
const OPT_OUT = { legalBasis: 'LEGITIMATE_INTERESTS', consentModel: 'OPT_OUT' };
const FIRST = {
  purposes: [purpose('news'), purpose('profiling'), purpose('sale', { ...OPT_OUT, category: 'SALE_SHARE', gpc: true })],
};
const NEXT = {
  purposes: [
    purpose('news', { change: { kind: 'MATERIAL', summary: 'More news.' } }, 'More news.'),
    purpose('profiling', { change: { kind: 'EDITORIAL', summary: 'Clearer.' } }, 'Clearer words.'),
    purpose('research', { ...OPT_OUT, consentModel: 'NOTICE_ONLY', category: 'ANALYTICS' }),
  ],
  policies: { policies: [{ country: 'US', changes: { model: 'OPT_IN' }, who: 'Board', why: 'Everywhere the same.' }] },
};

/** Subjects of every kind: what they decided, where they are, and how that is known. */
async function populated(sk: string): Promise<string[]> {
  const references: string[] = [];
  const record = (subject: string, of: string, decision: string, over: object = {}) =>
    world.recorded({ subject, purpose: of, decision, ...over }, { key: sk });
  for (const country of ['DE', 'US', null])
    for (const decision of ['GRANTED', 'DENIED', null]) {
      const subject = world.visitor();
      references.push(subject);
      const jurisdiction = country && { jurisdiction: { country, source: 'DETECTED' } };
      await record(subject, 'profiling', 'GRANTED', { ...jurisdiction });
      if (decision) for (const key of ['news', 'sale']) await record(subject, key, decision);
    }
  // Known by what was told of them, without any decision, and one with the signal.
  for (const country of ['US', 'FR', undefined]) {
    const subject = world.visitor();
    references.push(subject);
    const [kind, value] = subject.split(':');
    const body = { identifiers: [{ kind, value }], ...(country && { country }) };
    expect((await world.request('POST', '/v1/subjects', { key: sk, body })).status).toBe(201);
  }
  const signalled = world.visitor();
  references.push(signalled);
  await record(signalled, 'news', 'GRANTED', {
    signals: { gpc: true },
    jurisdiction: { country: 'US', region: 'US-CA', source: 'DETECTED' },
  });
  return references;
}

type States = Map<string, Record<string, { effective: string; renewal: { required: boolean } }>>;
async function statesOf(sk: string, references: readonly string[], after?: string): Promise<States> {
  const headers = after === undefined ? {} : { 'X-Log-Position': after };
  const states: States = new Map();
  for (const reference of references)
    states.set(
      reference,
      (await world.request('GET', pathOf(reference, '?fresh=true'), { key: sk, headers })).body.purposes,
    );
  return states;
}

/** What became of each subject, counted by what its state says before and after. */
function difference(before: States, after: States): Omit<Impact, 'country'>[] {
  const counted = new Map<string, Omit<Impact, 'country'>>();
  for (const [reference, is] of after)
    for (const [key, now] of Object.entries(is)) {
      const was = before.get(reference)![key];
      const [allowed, then] = [now.effective === 'ALLOWED', was?.effective === 'ALLOWED'];
      const impact = counted.get(key) ?? { purpose: key, askAgain: 0, becomeBlocked: 0, becomeAllowed: 0 };
      counted.set(key, impact);
      if (now.renewal.required && !was?.renewal.required) impact.askAgain++;
      if (then && !allowed) impact.becomeBlocked++;
      if (!then && allowed) impact.becomeAllowed++;
    }
  return [...counted.values()]
    .filter(({ askAgain, becomeBlocked, becomeAllowed }) => askAgain + becomeBlocked + becomeAllowed > 0)
    .sort((a, b) => (a.purpose < b.purpose ? -1 : 1));
}
function overCountries(impacts: readonly Impact[]): Omit<Impact, 'country'>[] {
  const summed = new Map<string, Omit<Impact, 'country'>>();
  for (const { purpose: key, askAgain, becomeBlocked, becomeAllowed } of impacts) {
    const known = summed.get(key) ?? { purpose: key, askAgain: 0, becomeBlocked: 0, becomeAllowed: 0 };
    known.askAgain += askAgain;
    known.becomeBlocked += becomeBlocked;
    known.becomeAllowed += becomeAllowed;
    summed.set(key, known);
  }
  return [...summed.values()];
}

/** All parts of a simulation, added up. */
async function simulated(
  site: string,
  folder: object,
): Promise<{ impacts: Impact[]; subjects: number; answers: number }> {
  const impacts: Impact[] = [];
  let [subjects, answers, share] = [0, 0, 0];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body }: Answer = await operate(`/${site}/test/catalogue/simulation`, {
      ...folder,
      ...(cursor && { cursor }),
    });
    expect(status).toBe(200);
    expect(body.share).toBeGreaterThanOrEqual(share);
    share = body.share as number;
    impacts.push(...(body.impacts as Impact[]));
    subjects += body.subjects as number;
    answers++;
    cursor = body.nextCursor as string | null;
    expect(body.hasMore).toBe(cursor !== null);
  }
  expect(share).toBe(1);
  return { impacts, subjects, answers };
}

test('tells before what follows when the folder is applied, and writes nothing', async () => {
  const { site, sk } = await siteWith(FIRST);
  const references = await populated(sk);
  await world.caughtUp();
  const before = await statesOf(sk, references);
  const head = (await world.request('GET', '/readyz', { key: null })).body.logPosition as string;

  const whole = await simulated(site, NEXT);
  expect(whole.subjects).toBe(references.length);
  expect(new Set(whole.impacts.map(({ country }) => country))).toEqual(new Set(['DE', 'US', 'FR', null]));
  expect((await world.request('GET', '/readyz', { key: null })).body.logPosition).toBe(head);
  expect((await world.request('GET', '/v1/purposes', { key: sk })).body.data).toHaveLength(3);

  const applied = await operate(`/${site}/test/catalogue`, NEXT);
  expect(applied.body).toMatchObject({ published: true });
  const after = await statesOf(sk, references, String(applied.headers['x-log-position']));
  const follows = difference(before, after);
  expect(overCountries(whole.impacts)).toEqual(follows);
  // It is not about nothing.
  expect(follows.map(({ purpose: key }) => key)).toEqual(['news', 'research', 'sale']);

  const asked = await world.request('GET', '/v1/purposes/news/renewals?limit=200', { key: sk });
  expect(asked.body.data).toHaveLength(follows[0]!.askAgain);
  // Now that it is published, the same folder makes no difference any more.
  expect((await simulated(site, NEXT)).impacts).toEqual([]);
});

test('comes in parts that add up to the whole', async () => {
  const { site, sk } = await siteWith(FIRST);
  await populated(sk);
  await world.caughtUp();
  const whole = await simulated(site, NEXT);
  // Rows of other sites are looked at too, so that a part can be empty.
  const parts = await simulated(site, { ...NEXT, limit: 7 });
  expect(parts.answers).toBeGreaterThan(1);
  expect(parts.subjects).toBe(whole.subjects);
  expect(overCountries(parts.impacts).sort((a, b) => (a.purpose < b.purpose ? -1 : 1))).toEqual(
    overCountries(whole.impacts),
  );
});

test('is about the moment at which all of it is in force, or the one that is asked about', async () => {
  const { site, sk } = await siteWith(FIRST);
  await world.recorded({ purpose: 'news' }, { key: sk });
  await world.caughtUp();
  const later = '2099-01-01T00:00:00.000Z';
  const folder = { purposes: [purpose('news', { effectiveFrom: later }, 'Other words.')] };
  const ask = (body: object) => operate(`/${site}/test/catalogue/simulation`, body);
  expect((await ask(folder)).body).toMatchObject({ at: later, impacts: [{ purpose: 'news', askAgain: 1 }] });
  const earlier = '2098-12-31T23:59:59.999Z';
  expect((await ask({ ...folder, at: earlier })).body).toMatchObject({ at: earlier, impacts: [] });
});

test('refuses what would not be published, as publishing does, and a cursor of other files or another catalogue', async () => {
  const { site, sk } = await siteWith(FIRST);
  for (let i = 0; i < 3; i++) await world.recorded({ purpose: 'news' }, { key: sk });
  await world.caughtUp();
  const ask = (body: object) => operate(`/${site}/test/catalogue/simulation`, body);
  const bad = { purposes: [purpose('news', { legalBasis: 'CONTRACT' })] };
  const [told, refused] = [await ask(bad), await operate(`/${site}/test/catalogue`, bad)];
  expect([told.status, told.body.code, told.body.issues]).toEqual([422, 'validation_failed', refused.body.issues]);

  const cursor = (await ask({ ...NEXT, limit: 1 })).body.nextCursor as string;
  expect(cursor).not.toBeNull();
  expect((await ask({ ...NEXT, limit: 1, cursor })).status).toBe(200);
  const other = await ask({ purposes: NEXT.purposes, limit: 1, cursor });
  expect([other.status, other.body.code, other.body.issues[0].path]).toEqual([409, 'state_conflict', 'cursor']);
  await operate(`/${site}/test/catalogue`, { purposes: [purpose('other')] });
  expect((await ask({ ...NEXT, limit: 1, cursor })).status).toBe(409);
});
