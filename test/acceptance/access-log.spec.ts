import { COMPOSITION } from '../../libs/composition/contexts.js';
import { commanded } from '../support/command-line.js';
import { TC_STRING } from '../support/framework-strings.js';
import { newEmail, subjectPath, subjectsIn } from '../support/subjects.js';
import { startWorld, type Answer, type Ask, type World } from '../support/world.js';
import { until } from '../support/timing.js';

let world: World;
let keyId: string;
beforeAll(async () => {
  world = await startWorld();
  const { data } = (await world.request('GET', `/admin/v1/sites/${world.demo.site}/keys?type=sk`, { key: 'operator' }))
    .body as { data: { id: string; last4: string }[] };
  keyId = data.find(({ last4 }) => world.demo.secretKey.endsWith(last4))!.id;
});
afterAll(() => world?.stop());

const { create, merge, erase } = subjectsIn(() => world);

interface Read {
  subject: { id: string | null };
  reader: string;
  operation: string;
  reads: number;
}

/** What the list says: of four roles, once the process that answered has written it. */
async function readsOf(
  ref: string,
  { query = '', enough = () => true }: { query?: string; enough?: (reads: Read[]) => boolean } = {},
): Promise<Read[]> {
  return until(async () => {
    const { status, body, text } = await world.request('GET', subjectPath(ref, `/reads${query}`));
    if (status !== 200) throw new Error(text);
    const reads = (body.data as Read[]).filter(({ operation }) => operation !== 'listSubjectReads');
    return enough(reads) && reads;
  });
}
const counted = (reads: readonly Read[]): Record<string, number> =>
  reads.reduce<Record<string, number>>(
    (sums, { operation, reads: times }) => ({ ...sums, [operation]: (sums[operation] ?? 0) + times }),
    {},
  );
const times = (reads: readonly Read[]): number => reads.reduce((sum, read) => sum + read.reads, 0);

const stringPath = (name: string, ref: string): string => `/v1/consent/${name}?subject=${encodeURIComponent(ref)}`;

/** Reads of one subject, each as it is asked, by the operation. A new operation that reads a subject is added here. */
const ASKED: Record<string, (ref: string, receiptId: string) => [path: string, ask?: Ask]> = {
  getConsentState: (ref) => [subjectPath(ref, '/consent')],
  explainConsent: (ref) => [subjectPath(ref, '/consent/explain?purpose=analytics')],
  getConsentHistory: (ref) => [subjectPath(ref, '/consent/history')],
  getTimeline: (ref) => [subjectPath(ref, '/timeline')],
  getTcString: (ref) => [stringPath('tcstring', ref)],
  getGoogleConsentMode: (ref) => [stringPath('google-consent-mode', ref)],
  getAdditionalConsent: (ref) => [stringPath('google-additional-consent', ref)],
  getGppString: (ref) => [stringPath('gpp', ref)],
  explainTcString: (ref) => [`${stringPath('tcstring/decode', ref)}&string=${TC_STRING}`],
  explainGppString: (ref) => [`${stringPath('gpp/decode', ref)}&string=DBABBg~BVQUAACA.YA`],
  getPreferences: (ref) => [subjectPath(ref, '/preferences')],
  getPreferenceHistory: (ref) => [subjectPath(ref, '/preferences/history')],
  getSubject: (ref) => [subjectPath(ref)],
  getReceipt: (_, receiptId) => [`/v1/receipts/${receiptId}`],
};

describe('who read of a subject', () => {
  test('is told by secret key and operation, each read counted, whichever operation it was', async () => {
    const ref = `email:${newEmail()}`;
    const { subject, receiptId } = (await world.recorded({ subject: ref }, { key: 'sk' })).body;
    const asked = Object.entries(ASKED);
    for (const [, of] of asked)
      for (let i = 0; i < 2; i++) {
        const [path, ask] = of(ref, receiptId);
        expect((await world.request('GET', path, ask)).status).toBe(200);
      }
    const reads = await readsOf(ref, { enough: (found) => times(found) >= 2 * asked.length });
    expect(counted(reads)).toEqual(Object.fromEntries(asked.map(([operation]) => [operation, 2])));
    for (const read of reads) expect([read.subject.id, read.reader]).toEqual([subject.id, keyId]);
    const named = await readsOf(ref, { query: `?reader=${keyId}` });
    expect([counted(named), await readsOf(ref, { query: '?reader=key_4Zt8nXq2LmPa' })]).toEqual([counted(reads), []]);
  });

  test('leaves out no operation that reads a subject', () => {
    const reading = COMPOSITION.operations.all.filter(
      ({ method, keys, subject }) => method === 'GET' && keys.includes('sk') && subject !== null,
    );
    const known = [...Object.keys(ASKED), 'listSubjectReads'];
    expect(reading.map(({ id }) => id).filter((id) => !known.includes(id))).toEqual([]);
  });

  test('counts whoever only learnt that nothing has changed, and asks themselves for this list', async () => {
    const ref = `email:${newEmail()}`;
    await world.recorded({ subject: ref }, { key: 'sk' });
    await world.caughtUp();
    const { etag } = (await world.request('GET', subjectPath(ref, '/consent'))).headers;
    for (let i = 0; i < 3; i++)
      expect(
        (await world.request('GET', subjectPath(ref, '/consent'), { headers: { 'If-None-Match': etag! } })).status,
      ).toBe(304);
    expect(counted(await readsOf(ref, { enough: (found) => times(found) >= 4 }))).toEqual({ getConsentState: 4 });
    const { data } = (await world.request('GET', subjectPath(ref, '/reads'))).body as { data: Read[] };
    expect(data.map(({ operation }) => operation)).toContain('listSubjectReads');
  });

  test('does not count the person’s own page, nor whoever has the capability of a receipt', async () => {
    const subject = world.visitor();
    const { receiptId, receiptToken } = (await world.recorded({ subject })).body;
    const own: Promise<Answer>[] = [
      world.request('GET', subjectPath(subject, '/consent'), { key: 'pk' }),
      world.request('GET', `/v1/receipts/${receiptId}?token=${receiptToken}`, { key: null }),
    ];
    expect((await Promise.all(own)).map(({ status }) => status)).toEqual([200, 200]);
    await world.request('GET', subjectPath(subject));
    expect(counted(await readsOf(subject, { enough: (found) => found.length > 0 }))).toEqual({ getSubject: 1 });
  });

  test('names whom a list of renewals named', async () => {
    const ref = `email:${newEmail()}`;
    const long = { subject: ref, source: 'IMPORT', givenAt: '2015-01-01T00:00:00.000Z' };
    await world.recorded(long, { key: 'sk' });
    await world.caughtUp();
    const { body } = await world.request('GET', '/v1/purposes/analytics/renewals?limit=200');
    expect(body.data.length).toBeGreaterThan(0);
    expect(counted(await readsOf(ref, { enough: (found) => found.length > 0 }))).toEqual({ listRenewals: 1 });
  });

  test('follows merges, and outlives an erasure under the pseudonym alone', async () => {
    const [email, phone] = [newEmail(), `+4930${Math.floor(1e7 + Math.random() * 8e7)}`];
    const one = (await create([{ kind: 'email', value: email }])).body.id as string;
    const other = (await create([{ kind: 'phone', value: phone }])).body.id as string;
    await world.request('GET', subjectPath(`phone:${phone}`));
    expect((await merge([`phone:${phone}`], `email:${email}`)).status).toBe(200);
    await world.request('GET', subjectPath(`email:${email}`));
    const before = await readsOf(`email:${email}`, { enough: (found) => times(found) >= 2 });
    expect(new Set(before.map(({ subject }) => subject.id))).toEqual(new Set([one, other]));
    expect((await erase(`email:${email}`)).status).toBe(200);
    expect((await world.request('GET', subjectPath(`email:${email}`, '/reads'))).body.code).toBe('subject_not_found');
    expect(await readsOf(`subject:${one}`)).toEqual(before);
  });

  test('is not known of somebody who never was', async () => {
    for (const ref of [`email:${newEmail()}`, 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S'])
      expect((await world.request('GET', subjectPath(ref, '/reads'))).body.code).toBe('subject_not_found');
  });

  test('comes in pages', async () => {
    const ref = `email:${newEmail()}`;
    const { receiptId } = (await world.recorded({ subject: ref }, { key: 'sk' })).body;
    for (const of of Object.values(ASKED)) await world.request('GET', of(ref, receiptId)[0]);
    const all = await readsOf(ref, { enough: (found) => found.length >= 7 });
    const paged: Read[] = [];
    for (let query: string | null = '?limit=3'; query !== null;) {
      const { body } = await world.request('GET', subjectPath(ref, `/reads${query}`));
      expect(body.data.length).toBeLessThanOrEqual(3);
      paged.push(...(body.data as Read[]));
      query = body.nextCursor === null ? null : `?limit=3&cursor=${body.nextCursor as string}`;
    }
    expect(paged.filter(({ operation }) => operation !== 'listSubjectReads')).toEqual(all);
    expect((await world.request('GET', subjectPath(ref, '/reads?cursor=WzFd'))).body.code).toBe('validation_failed');
  });

  test('names operators beside keys, whom the command line shows too, and outlives a restart', async () => {
    const ref = `email:${newEmail()}`;
    const { subject } = (await world.recorded({ subject: ref }, { key: 'sk' })).body;
    await world.request('GET', subjectPath(ref));
    const env = { DATABASE_URL: world.databaseUrl!, ASSENT_DATA: world.dataFolder, ...world.roles?.env };
    const scope = ['--site', world.demo.site, '--env', 'test'];
    await commanded(['subjects', 'show', ref, ...scope, '--operator', 'ada'], env);
    await commanded(['audit', 'export', '--subject', ref, ...scope, '--operator', 'ada'], env);
    const reads = await readsOf(ref, { enough: (found) => times(found) >= 3 });
    expect(counted(reads)).toEqual({ getSubject: 1, 'subjects show': 1, 'audit export': 1 });
    expect(reads.filter(({ reader }) => /^operator:ada@./.test(reader))).toHaveLength(2);
    // What is stopped writes what it has noted.
    await world.request('GET', subjectPath(ref));
    await world.restart();
    const shown = JSON.parse(await commanded(['audit', 'reads', '--subject', ref, ...scope, '--json'], env)) as {
      reads: { subjectId: string; operation: string; reads: number }[];
      hasMore: boolean;
    };
    expect(new Set(shown.reads.map(({ operation }) => operation))).toEqual(
      new Set(['getSubject', 'subjects show', 'audit export', 'listSubjectReads']),
    );
    const looks = shown.reads.filter(({ operation }) => operation === 'getSubject');
    expect(looks.reduce((sum, { reads: times }) => sum + times, 0)).toBe(2);
    expect(shown.reads.every(({ subjectId }) => subjectId === subject.id)).toBe(true);
    const table = await commanded(['audit', 'reads', '--reader', keyId, ...scope, '--limit', '1'], env);
    expect(table).toContain('There are more');
  });
});
