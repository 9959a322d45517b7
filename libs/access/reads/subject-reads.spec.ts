import { randomBytes } from 'node:crypto';
import type { Reader } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { migrate } from '../../engines/database/migrate.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { CreateSignIns1764360000001 } from '../operators/sign-ins.migration.js';
import { CreateKeyUse1763740000001 } from '../sites/key-use.migration.js';
import { everyRead, listReads, placeOf, type ReadsWanted, type SubjectRead } from './list-reads.js';
import { PruneReadsHandler } from './retention.js';
import { CreateSubjectReads1763815000001 } from './subject-reads.migration.js';
import { EVERYBODY, SubjectReads, writeReads } from './subject-reads.js';

const shared = process.env['ASSENT_TEST_POSTGRES']!;
const name = `subject_reads_${randomBytes(6).toString('hex')}`;
const url = Object.assign(new URL(shared), { pathname: `/${name}` }).href;
const NOON = Date.parse('2026-11-21T12:00:00.000Z');
let admin: Database;
let database: Database;
beforeAll(async () => {
  admin = new Database(shared, { max: 1, budgetMs: 20_000 });
  await admin.run(`create database ${name}`);
  await migrate(url, [CreateKeyUse1763740000001, CreateSubjectReads1763815000001, CreateSignIns1764360000001]);
  database = new Database(url);
});
beforeEach(() => database.run('truncate write.subject_reads'));
afterAll(async () => {
  await database.close();
  await admin.run(`drop database if exists ${name} with (force)`);
  await admin.close();
});

const backend: Reader = { kind: 'sk', keyId: 'key_a', operation: 'getConsentState', site: 'shop', env: 'test' };
const EVERYTHING: ReadsWanted = {
  site: 'shop',
  env: 'test',
  subjectIds: null,
  reader: null,
  from: null,
  to: null,
  after: null,
  limit: 100,
};
const listed = (wanted: Partial<ReadsWanted> = {}): Promise<SubjectRead[]> =>
  listReads(database, { ...EVERYTHING, ...wanted });
const shown = (reads: readonly SubjectRead[]): string[] =>
  reads.map(
    ({ subjectId, reader, operation, hour, reads: times }) =>
      `${hour.slice(11, 13)} ${subjectId} ${reader} ${operation} ${times}`,
  );

/** Of which the clock stands where it is put, and the database can be taken away. */
function counting(): { reads: SubjectReads; at: (ms: number) => void; cut: (error: Error | null) => void } {
  let now = NOON;
  let broken: Error | null = null;
  const wire = {
    query: async (...of: Parameters<Database['query']>) => {
      if (broken) throw broken;
      return database.query(...of);
    },
  } as Database;
  return { reads: new SubjectReads(wire, () => now), at: (ms) => (now = ms), cut: (error) => (broken = error) };
}

describe('reads of a subject', () => {
  it('are counted one by one, by hour, reader and operation, whichever process answered them', async () => {
    const [here, there] = [counting(), counting()];
    for (let i = 0; i < 3; i++) here.reads.note(backend, 'sub_1');
    here.reads.note({ ...backend, operation: 'getConsentHistory' }, 'sub_1');
    here.reads.note({ ...backend, keyId: 'key_b' }, 'sub_1');
    there.at(NOON + 59 * 60_000);
    there.reads.note(backend, 'sub_1');
    there.reads.note(backend, 'sub_2');
    await Promise.all([here.reads.write(), there.reads.write()]);
    there.at(NOON + 60 * 60_000);
    there.reads.note(backend, 'sub_1');
    await there.reads.write();
    expect(shown(await listed())).toEqual([
      '13 sub_1 key_a getConsentState 1',
      '12 sub_1 key_a getConsentHistory 1',
      '12 sub_1 key_a getConsentState 4',
      '12 sub_1 key_b getConsentState 1',
      '12 sub_2 key_a getConsentState 1',
    ]);
    const [, , state] = await listed();
    expect([state!.firstAt, state!.lastAt]).toEqual(['2026-11-21T12:00:00.000Z', '2026-11-21T12:59:00.000Z']);
  });

  it('by the person’s own page, and by callers without a key, are not noted', async () => {
    const { reads } = counting();
    for (const kind of ['pk', 'none'] as const) reads.note({ ...backend, kind }, 'sub_1');
    await reads.write();
    expect(await listed()).toEqual([]);
  });

  it('by an operator are noted by the token', async () => {
    const { reads } = counting();
    reads.note({ ...backend, kind: 'operator', keyId: 'opt_first' }, 'sub_1');
    await reads.write();
    expect(shown(await listed())).toEqual(['12 sub_1 operator:opt_first getConsentState 1']);
  });

  it('are written by themselves, soon', async () => {
    const { reads } = counting();
    reads.note(backend, 'sub_1');
    for (let found: SubjectRead[] = []; found.length === 0;) found = await listed();
    expect(shown(await listed())).toEqual(['12 sub_1 key_a getConsentState 1']);
  });

  it('wait while the database is away, and none is lost or counted twice when it is back', async () => {
    const { reads, cut } = counting();
    cut(new DependencyUnavailable('database'));
    reads.note(backend, 'sub_1');
    await expect(reads.write()).rejects.toThrow(DependencyUnavailable);
    reads.note(backend, 'sub_1');
    reads.note(backend, 'sub_2');
    cut(null);
    await reads.write();
    await reads.write();
    expect(shown(await listed())).toEqual(['12 sub_1 key_a getConsentState 2', '12 sub_2 key_a getConsentState 1']);
  });

  it('are refused where too many wait, so that none is answered that is not counted', async () => {
    const { reads, cut } = counting();
    cut(new DependencyUnavailable('database'));
    const most = 50_000;
    for (let i = 0; i < most; i++) reads.note(backend, `sub_${i}`);
    expect(() => reads.note(backend, 'sub_more')).toThrow(DependencyUnavailable);
    // What has its row costs no memory.
    reads.note(backend, 'sub_7');
    cut(null);
    await reads.write();
    reads.note(backend, 'sub_more');
    await reads.stop();
    const [{ rows, times } = { rows: 0, times: 0 }] = await database.run<{ rows: number; times: number }>(
      'select count(*)::int as rows, sum(reads)::int as times from write.subject_reads',
    );
    expect([rows, times]).toEqual([most + 1, most + 2]);
  });

  it('are written at a stop also where the write before it failed', async () => {
    const { reads, cut } = counting();
    cut(new DependencyUnavailable('database'));
    reads.note(backend, 'sub_1');
    const failing = reads.write();
    cut(null);
    await Promise.all([expect(failing).rejects.toThrow(DependencyUnavailable), reads.stop()]);
    expect(await listed()).toHaveLength(1);
  });

  it('are written when the process stops', async () => {
    const { reads } = counting();
    reads.note(backend, 'sub_1');
    await reads.stop();
    expect(await listed()).toHaveLength(1);
  });
});

describe('the list of reads', () => {
  const read = (subjectId: string, hour: number, reader = 'key_a', more = {}) => ({
    subjectId,
    reader,
    operation: 'getSubject',
    site: 'shop',
    env: 'test' as const,
    reads: 1,
    firstMs: NOON + hour * 3_600_000 + 60_000,
    lastMs: NOON + hour * 3_600_000 + 120_000,
    ...more,
  });

  it('is of one subject with its family, of one reader, of a time, of one site and environment', async () => {
    await writeReads(database, [
      read('sub_1', 0),
      read('sub_1', 2),
      read('sub_2', 1, 'key_b'),
      read('sub_3', 1),
      read('sub_1', 1, 'key_c', { site: 'other' }),
      read('sub_1', 1, 'key_d', { env: 'live' }),
    ]);
    const subjects = async (wanted: Partial<ReadsWanted>): Promise<string[]> =>
      (await listed(wanted)).map(({ subjectId, hour }) => `${subjectId} ${hour.slice(11, 13)}`);
    expect(await subjects({})).toEqual(['sub_1 14', 'sub_2 13', 'sub_3 13', 'sub_1 12']);
    expect(await subjects({ subjectIds: ['sub_1', 'sub_2'] })).toEqual(['sub_1 14', 'sub_2 13', 'sub_1 12']);
    expect(await subjects({ reader: 'key_b' })).toEqual(['sub_2 13']);
    // The reads of the hour lie between its first minute and its second.
    expect(await subjects({ from: '2026-11-21T13:02:00.000Z' })).toEqual(['sub_1 14', 'sub_2 13', 'sub_3 13']);
    expect(await subjects({ from: '2026-11-21T13:02:00.001Z' })).toEqual(['sub_1 14']);
    expect(await subjects({ to: '2026-11-21T13:01:00.000Z' })).toEqual(['sub_1 12']);
    expect(await subjects({ to: '2026-11-21T13:01:00.001Z' })).toEqual(['sub_2 13', 'sub_3 13', 'sub_1 12']);
  });

  it('names reads of a whole site, whichever subject is asked about', async () => {
    await writeReads(database, [
      read(EVERYBODY, 0, 'operator:ada@here', { site: EVERYBODY, env: EVERYBODY }),
      read(EVERYBODY, 1, 'operator:ada@here'),
      read(EVERYBODY, 1, 'operator:ada@here', { site: 'other', operation: 'else' }),
    ]);
    expect(shown(await listed({ subjectIds: ['sub_1'] }))).toEqual([
      '13 null operator:ada@here getSubject 1',
      '12 null operator:ada@here getSubject 1',
    ]);
  });

  it('goes on where the page before ended, each read once', async () => {
    const all = ['sub_1', 'sub_2', 'sub_3'].flatMap((id) =>
      [0, 1].flatMap((hour) => ['key_a', 'key_b'].map((reader) => read(id, hour, reader))),
    );
    await writeReads(database, all);
    const whole = await listed();
    expect(whole).toHaveLength(12);
    const paged: SubjectRead[] = [];
    for (let page = await listed({ limit: 5 }); page.length > 0;) {
      paged.push(...page);
      page = await listed({ limit: 5, after: placeOf(page.at(-1)!) });
    }
    expect(paged).toEqual(whole);
    const { after: _, limit: __, ...wanted } = EVERYTHING;
    const every: SubjectRead[] = [];
    for await (const each of everyRead(database, wanted)) every.push(each);
    expect(every).toEqual(whole);
  });
});

describe('what was kept long enough', () => {
  it('is deleted, and nothing else', async () => {
    const day = 24 * 3_600_000;
    const group = [29, 31].map((days) => ({
      subjectId: `sub_${days}`,
      reader: 'key_a',
      operation: 'getSubject',
      site: 'shop',
      env: 'test' as const,
      reads: 1,
      firstMs: Date.now() - days * day,
      lastMs: Date.now() - days * day,
    }));
    await writeReads(database, group);
    await new PruneReadsHandler(database, 30).execute();
    expect((await listed()).map(({ subjectId }) => subjectId)).toEqual(['sub_29']);
  });
});
