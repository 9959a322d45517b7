import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { assent, type Outcome } from '../support/command-line.js';
import { everythingKept } from '../support/everything-kept.js';
import { verifies } from '../support/receipt.js';
import { newKey, refused, subjectPath, subjectsIn } from '../support/subjects.js';
import { startWorld, type Answer, type World } from '../support/world.js';
import { until } from '../support/timing.js';

/*
 * An event that cannot be read stands in somebody's stream: written by a newer release, or damaged. Whoever it is about
 * can be erased all the same, and nobody else waits for it.
 */

let world: World;
let database: pg.Client;
beforeAll(async () => {
  world = await startWorld({ breakable: true });
  database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world?.stop();
});

const { create, decide, erase, get, merge, post, states } = subjectsIn(() => world);

interface Odd {
  type: string;
  schemaVersion?: number;
  /** As it is stored. */
  data: string;
}

/** Appends to the stream of a subject what no release of ours would. Answers the position. */
async function damage(subjectId: string, { type, schemaVersion = 1, data }: Odd): Promise<string> {
  const { rows: last } = await database.query<{ stream: string; revision: string }>(
    'select stream, max(revision) as revision from log.events where stream like $1 group by stream',
    [`subject-%.${subjectId}`],
  );
  const metadata = JSON.stringify({ schemaVersion, actor: 'system:test', recordedAt: '2026-11-21T12:00:00.000Z' });
  const { rows } = await database.query<{ at_position: string }>(
    'select at_position from log.append(array[$1], array[$2::bigint], array[1], array[gen_random_uuid()], array[$3], array[$4], array[$5], 1000)',
    [last[0]!.stream, last[0]!.revision, type, data, metadata],
  );
  return rows[0]!.at_position;
}

const ODD: [what: string, odd: Odd, answer: [status: number, code: string]][] = [
  ['of a type that this release does not know', { type: 'Unheard', data: '{}' }, [503, 'dependency_unavailable']],
  [
    'of a version that it does not know',
    { type: 'ConsentRecorded', schemaVersion: 99, data: '{}' },
    [503, 'dependency_unavailable'],
  ],
  ['that is damaged JSON', { type: 'ConsentRecorded', data: '{"purpose":' }, [500, 'internal_error']],
  ['that says nothing', { type: 'ConsentRecorded', data: 'null' }, [500, 'internal_error']],
  [
    'with a value that does not open with any key',
    {
      type: 'IdentifierAdded',
      schemaVersion: 2,
      data: `{"identifierId":"idn_01M7Z4BEN0C14YZQKPWXGJRVHX","kind":"email","value":{"$sealed":"AAAA${'A'.repeat(80)}"},"primary":false,"source":"API","verifiedAt":null,"verificationMethod":null,"addedAt":"2026-11-21T12:00:00.000Z"}`,
    },
    // What nobody has to open does not matter.
    [201, ''],
  ],
];

describe.each(ODD)('with an event %s', (_, odd, [status, code]) => {
  /** Stands nowhere but in what was said about this person. */
  const canary = `q${randomBytes(8).toString('hex')}`;
  const email = `email:${canary}@canary.example`;
  let id: string;
  let absorbed: string;
  let receipt: Answer;
  const record = (): Promise<Answer> =>
    post('/v1/consent', { subject: email, purpose: 'analytics', decision: 'GRANTED' });

  beforeAll(async () => {
    const created = await create([{ kind: 'email', value: `${canary}@canary.example` }], {
      metadata: { note: canary },
      locale: 'de',
    });
    id = created.body.id as string;
    await decide(email, { analytics: 'GRANTED' }, { metadata: { said: canary } });
    absorbed = (await create([{ kind: 'user_id', value: canary }])).body.id as string;
    expect((await merge([absorbed], id)).status).toBe(200);
    await damage(id, odd);
    await damage(absorbed, odd);
  });

  test('decisions are refused, where it matters', async () => {
    const written = await record();
    expect([written.status, written.body.code ?? '']).toEqual([status, code]);
    if (status === 503) expect(written.body.hint).toContain('newer release');
  });

  test('the person is erased, with all who were merged into it', async () => {
    const key = newKey();
    receipt = await erase(email, key);
    expect([receipt.status, receipt.body.receipt?.erased.subjects]).toEqual([
      200,
      expect.arrayContaining([id, absorbed]),
    ]);
    expect((await erase(email, key)).text).toBe(receipt.text);
    expect((await erase(`subject:${id}`)).body.receipt).toEqual(receipt.body.receipt);
    const { keys } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).body;
    expect(verifies(receipt.body.jws, receipt.body.receipt, keys)).toBe(true);
  });

  test('it is gone for everybody', async () => {
    for (const gone of [id, absorbed])
      for (const path of ['/consent', '/consent?fresh=true', '/consent/history', '/preferences'])
        expect(refused(await world.request('GET', subjectPath(`subject:${gone}`, path))).slice(0, 2)).toEqual([
          410,
          'subject_erased',
        ]);
    expect((await get(`subject:${id}`)).body).toMatchObject({ id, state: 'ERASED', identifiers: [] });
    expect(refused(await get(email)).slice(0, 2)).toEqual([404, 'subject_not_found']);
    const kept = [...(await everythingKept(world))].filter(([, text]) => text.toLowerCase().includes(canary));
    expect(kept.map(([place]) => place)).toEqual([]);
    const { rows: keys } = await database.query('select 1 from vault.subject_keys where subject_id = any($1)', [
      [id, absorbed],
    ]);
    expect(keys).toEqual([]);
  });

  test('whoever comes by the same address is somebody new', async () => {
    const anew = await record();
    expect(anew.status).toBe(201);
    expect(anew.body.subject.id).not.toBe(id);
  });

  test('others are written, read and merged as ever', async () => {
    const [one, other] = [world.visitor(), world.visitor()];
    await decide(one, { analytics: 'GRANTED' });
    await decide(other, { analytics: 'DENIED' });
    expect((await merge([one], other)).status).toBe(200);
    expect(await states(one)).toEqual({ analytics: 'DENIED' });
    expect((await erase(one)).status).toBe(200);
  });
});

describe('what is due for subjects', () => {
  const doctor = (): Promise<Outcome> =>
    assent(['doctor'], { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! });
  const expiriesOf = async (subjectId: string): Promise<number> =>
    (
      await database.query(`select 1 from log.events where stream like $1 and type = 'ConsentExpired'`, [
        `%.${subjectId}`,
      ])
    ).rows.length;
  /** Of expiries. Zero also where the service wants a pause before it shows its metrics again. */
  const shown = async (...names: string[]): Promise<number[]> => {
    const text = await (await fetch(`${world.url}/metrics`)).text();
    return names.map((name) => Number(new RegExp(`^${name}\\{chore="expiries"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0));
  };

  test('is done for all others; who fails is put off, counted and named', async () => {
    const fresh = await startWorld({ breakable: true });
    const outer = [world, database] as const;
    try {
      world = fresh;
      database = new pg.Client({ connectionString: fresh.databaseUrl! });
      await database.connect();
      const expiresAt = new Date(Date.now() + 6_000).toISOString();
      const [broken, sound] = [await fresh.recorded({ expiresAt }), await fresh.recorded({ expiresAt })];
      await fresh.caughtUp();
      const [bad, good] = [broken.body.subject.id as string, sound.body.subject.id as string];
      await damage(bad, { type: 'Unheard', data: '{}' });
      await until(async () => (await expiriesOf(good)) === 1);
      await until(async () => {
        const [putOff, failures] = await shown('assent_chore_put_off_subjects', 'assent_chore_failures_total');
        return putOff === 1 && failures! >= 1;
      });
      expect(await expiriesOf(bad)).toBe(0);
      expect(await fresh.outputWith((output) => output.includes(bad))).toContain(bad);
      expect((await doctor()).out).toMatch(new RegExp(`expiries +warn +overdue for .*${bad}`));
    } finally {
      await database.end();
      [world, database] = outer;
      await fresh.stop();
    }
  });
});
