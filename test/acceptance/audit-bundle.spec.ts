import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '../../libs/kernel/index.js';
import {
  jsonLines,
  unpackInto,
  unpacked,
  verdictOn,
  verifyBundle,
  VERIFIER,
  type Verdict,
} from '../support/audit-bundle.js';
import { CANARY, FORMULA, SIGNED_AT, somebodyAsked } from '../support/asked-person.js';
import { assent } from '../support/command-line.js';
import { newEmail, subjectsIn } from '../support/subjects.js';
import { startToldSystem, type ToldSystem } from '../support/told-system.js';
import { startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';

const MEMBERS = [
  'README.txt',
  'access.jsonl',
  'checkpoint',
  'deliveries.jsonl',
  'keys.json',
  'manifest.json',
  'manifest.jws',
  'policies.jsonl',
  'proofs.jsonl',
  'receipts.jsonl',
  'records.csv',
  'records.jsonl',
  'texts.jsonl',
  'timeline.html',
  'verify.mjs',
];

let world: World;
let folder: string;
let ada: string;
let adaId: string;
let visitor: string;
let through: string;
let crm: ToldSystem;
let made = 0;

interface Line {
  position: string;
  type: string;
  subjectId: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs read what they expect
  data: any;
}

const { erase } = subjectsIn(() => world);

/** Makes a bundle; answers what the command said of it, and where it is. */
async function bundle(
  ...question: string[]
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs read what they expect
): Promise<{ told: any; file: string; files: Map<string, Buffer> }> {
  const file = join(folder, `${++made}.zip`);
  const { code, out, err } = await assent(
    ['audit', 'bundle', ...question, '--site', world.demo.site, '--out', file, '--json'],
    { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! },
  );
  if (code !== 0) throw new Error(`${out}${err}`);
  return { told: JSON.parse(out), file, files: unpacked(file) };
}

const aboutAda = (...more: string[]) => bundle('--subject', `subject:${adaId}`, '--through', through, ...more);

beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-bundle-'));
  crm = await startToldSystem(world);
  ({ ada, adaId, visitor, through } = await somebodyAsked(world));
  await crm.toldAbout(adaId);
});
afterAll(async () => {
  await world?.stop();
  await crm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the bundle of a subject', () => {
  it('holds all that was recorded of it, and of whoever was merged with it', async () => {
    const { told, files, file } = await aboutAda();
    expect([...files.keys()].filter((name) => !name.startsWith('texts/'))).toEqual(MEMBERS);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const records = jsonLines<Line>(files.get('records.jsonl')!);
    expect(records.map(({ type }) => type).sort()).toEqual(
      [
        ...Array<string>(5).fill('ConsentRecorded'),
        ...['IdentifierAdded', 'IdentifierAdded', 'PreferenceConfirmationRequested', 'PreferenceConfirmed'],
        ...['PreferenceSet', 'SubjectCreated', 'SubjectCreated', 'SubjectsMerged', 'SubjectsMerged'],
      ].sort(),
    );
    expect(new Set(records.map(({ subjectId }) => subjectId)).size).toBe(2);
    expect(told).toMatchObject({ subject: adaId, records: 14, receipts: 7, through, file });
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(told.sha256);
  });

  it('gives the same bytes for the same question, whatever others do meanwhile', async () => {
    const first = await aboutAda();
    await world.recorded();
    const again = await aboutAda();
    expect(again.told).toEqual({ ...first.told, file: again.file });
    expect(readFileSync(again.file).equals(readFileSync(first.file))).toBe(true);
    // Without a position in the question the last event that there is stands in its place.
    const open = await bundle('--subject', ada);
    expect(readFileSync((await bundle('--subject', ada)).file).equals(readFileSync(open.file))).toBe(true);
  });

  it('has the very receipts that the service answers', async () => {
    const { files } = await aboutAda();
    const receipts = jsonLines<{ receipt: { id: string }; jws: string }>(files.get('receipts.jsonl')!);
    expect(receipts).toHaveLength(7);
    for (const { receipt, jws } of receipts)
      expect((await world.request('GET', `/v1/receipts/${receipt.id}`)).body).toMatchObject({ receipt, jws });
  });

  it('has every text that was shown, as a file whose hash is its name', async () => {
    const { files, told } = await aboutAda();
    const texts = [...files].filter(([name]) => name.startsWith('texts/'));
    expect(texts.length).toBe(told.texts);
    for (const [name, content] of texts) {
      const hash = createHash('sha256').update(content).digest('hex');
      expect(name).toBe(`texts/${hash}.json`);
      const { body } = await world.request('GET', `/v1/notices/sha256:${hash}`);
      expect(JSON.parse(content.toString())).toEqual(body.content);
    }
    const listed = jsonLines<{ kind: string; locale: string }>(files.get('texts.jsonl')!);
    expect(new Set(listed.map(({ kind }) => kind))).toEqual(new Set(['PURPOSE', 'BANNER', 'PREFERENCE_TEMPLATE']));
    expect(new Set(listed.map(({ locale }) => locale))).toEqual(new Set(['de', 'en']));
  });

  it('has the rules of the places and times of the decisions', async () => {
    const { files } = await aboutAda();
    const rules = jsonLines<{ place: { country: string | null; region: string | null }; rule: { id: string } }>(
      files.get('policies.jsonl')!,
    );
    expect(rules.map(({ place }) => place)).toEqual([
      { country: null, region: null },
      { country: 'DE', region: null },
      { country: 'US', region: 'US-CA' },
    ]);
    const { body } = await world.request('GET', '/v1/policy?country=US&region=US-CA');
    expect(rules[2]!.rule).toEqual(body);
  });

  it('lists who read what in the hours that were over', async () => {
    await world.request('GET', `/v1/subjects/${adaId}`);
    const reads = async (...more: string[]): Promise<{ reader: string; operation: string; subjectId: string }[]> =>
      jsonLines((await aboutAda(...more)).files.get('access.jsonl')!);
    expect(await reads()).toEqual([]);
    // Written within a quarter of a second.
    const listed = await until(async () => {
      const found = await reads('--reads-until', '2099-01-01T00:00:00Z');
      return found.some(({ operation }) => operation === 'getSubject') && found;
    });
    const key = `key_${world.demo.secretKey.slice(8, 20)}`;
    expect(listed.find(({ operation }) => operation === 'getSubject')).toMatchObject({ reader: key, subjectId: adaId });
    expect(listed.find(({ operation }) => operation === 'audit bundle')!.reader).toMatch(/^operator:/);
  });

  it('names people by pseudonyms and holds nothing personal, unless it is asked to', async () => {
    const email = ada.slice('email:'.length);
    const all = ({ files }: { files: Map<string, Buffer> }): string => [...files.values()].join('\n');
    const pseudonymous = all(await bundle('--subject', ada));
    for (const personal of [email, visitor.slice('visitor_id:'.length), CANARY, FORMULA])
      expect(pseudonymous).not.toContain(personal);
    const withheld = (await bundle('--subject', ada)).files.get('records.jsonl')!.toString();
    expect(withheld).not.toContain('$sealed');
    expect(withheld).toContain('{"withheld":true}');

    const clear = await aboutAda('--with-personal-data');
    const records = clear.files.get('records.jsonl')!.toString();
    for (const personal of [email, visitor.slice('visitor_id:'.length), CANARY, FORMULA])
      expect(records).toContain(personal);
    expect(clear.files.get('records.csv')!.toString()).not.toContain(email);
    expect(clear.files.get('timeline.html')!.toString()).not.toContain(email);
    expect(await verdictOn(clear.file)).toMatchObject({ verdict: 'GENUINE', problems: [] });
  });

  it('is a table that no spreadsheet calculates, a row for each choice', async () => {
    const { files } = await aboutAda();
    const [head, ...rows] = files.get('records.csv')!.toString().trimEnd().split('\r\n');
    expect(head!.startsWith('position,recordedAt,givenAt,subject,type,about,answer,state')).toBe(true);
    expect(rows).toHaveLength(14);
    const imported = rows.find((row) => row.includes(SIGNED_AT))!.split(',');
    expect(imported.slice(3, 9)).toEqual([adaId, 'ConsentRecorded', 'marketing', 'GRANTED', 'GRANTED', 'true']);
    const columns = head!.split(',');
    const agreed = rows.find((row) => row.includes(',SAVE_CHOICES,'))!.split(',');
    expect(agreed[columns.indexOf('display')]).toBe('EQUAL_CONTRAST TEXT_CONTRAST');
    expect(rows.some((row) => /^[=+@\t-]|,[=+@\t-]/.test(row))).toBe(false);
  });
});

describe('everything since a time', () => {
  it('holds all subjects of the site, and is the same for the same position', async () => {
    const since = await bundle('--since', '2026-01-01T00:00:00Z', '--through', through);
    const again = await bundle('--since', '2026-01-01T00:00:00Z', '--through', through);
    expect(readFileSync(again.file).equals(readFileSync(since.file))).toBe(true);
    const alone = jsonLines<Line>((await aboutAda()).files.get('records.jsonl')!);
    expect(jsonLines<Line>(since.files.get('records.jsonl')!)).toEqual(alone);
    expect(jsonLines(since.files.get('receipts.jsonl')!)).toEqual(
      jsonLines((await aboutAda()).files.get('receipts.jsonl')!),
    );
    expect(await verdictOn(since.file)).toMatchObject({ verdict: 'GENUINE', problems: [] });
    const later = await bundle('--since', (alone.at(-1) as unknown as { recordedAt: string }).recordedAt);
    expect(jsonLines<Line>(later.files.get('records.jsonl')!).length).toBeLessThan(alone.length);
    expect(await verdictOn(later.file)).toMatchObject({ verdict: 'GENUINE', problems: [] });
  });

  it('is an archive also where nothing was recorded', async () => {
    const { told, file } = await bundle('--since', '2099-01-01T00:00:00Z');
    expect(told).toMatchObject({ subject: null, records: 0, receipts: 0, texts: 0, through: null });
    expect(await verdictOn(file)).toMatchObject({ verdict: 'GENUINE', problems: [] });
  });
});

describe('an erased subject', () => {
  it('stays erased, and what was bundled before can be made again', async () => {
    const email = newEmail();
    const { headers, body } = await world.recorded(
      { subject: `email:${email}`, metadata: { note: CANARY } },
      { key: 'sk' },
    );
    const subject = `subject:${body.subject.id as string}`;
    const before = await bundle('--subject', subject, '--through', String(headers['x-log-position']));
    expect((await erase(subject)).status).toBe(200);
    const again = await bundle('--subject', subject, '--through', String(headers['x-log-position']));
    // But for what opens the leaves of the ledger: that was destroyed with the key.
    for (const [name, content] of before.files)
      if (!/^(proofs|manifest)\./.test(name)) expect([name, again.files.get(name)]).toEqual([name, content]);
    const proofs = (made: { files: Map<string, Buffer> }): { index: number; entry: string; record: string | null }[] =>
      jsonLines(made.files.get('proofs.jsonl')!);
    expect(proofs(again)).toEqual(proofs(before).map((each) => ({ ...each, salt: null, record: null })));
    expect(proofs(before)).toHaveLength(3);
    expect(await verdictOn(again.file)).toMatchObject({ verdict: 'GENUINE', problems: [] });
    const clear = await bundle('--subject', subject, '--with-personal-data');
    expect([...clear.files.values()].join('\n')).not.toContain(email);
    expect([...clear.files.values()].join('\n')).not.toContain(CANARY);
    const records = jsonLines<Line>(clear.files.get('records.jsonl')!);
    expect(records.map(({ type }) => type)).toEqual([
      'SubjectCreated',
      'IdentifierAdded',
      'ConsentRecorded',
      'SubjectErased',
    ]);
    expect(records[2]!.data).toMatchObject({ metadata: null, decision: 'GRANTED' });
    expect(jsonLines(clear.files.get('receipts.jsonl')!)).toHaveLength(2);
    expect(await verdictOn(clear.file)).toMatchObject({ verdict: 'GENUINE', problems: [] });
  });
});

it('lists whom webhooks told, without what is secret in their addresses', async () => {
  const { files } = await aboutAda('--reads-until', '2099-01-01T00:00:00Z');
  const told = jsonLines<Line>(files.get('deliveries.jsonl')!);
  expect(told.length).toBeGreaterThan(0);
  const { endpoint, origin } = crm;
  for (const delivery of told)
    expect(delivery).toMatchObject({ endpoint, origin, type: 'consent.withdrawn', outcome: 'DELIVERED' });
  expect(told.map(({ subjectId }) => subjectId)).toContain(adaId);
  expect(JSON.stringify(told)).not.toContain('token');
});

describe('the verifier', () => {
  let archive: string;
  let files: Map<string, Buffer>;
  beforeAll(async () => {
    ({ file: archive, files } = await aboutAda('--reads-until', '2099-01-01T00:00:00Z'));
    // No file is empty, so that in each there is a byte to change.
    expect([...files].filter(([, content]) => content.length === 0)).toEqual([]);
  });
  /** What it says of the archive when some files are other ones; null: it is not there. */
  async function changed(changes: Record<string, Buffer | null>, ...more: string[]): Promise<Verdict> {
    const place = mkdtempSync(join(folder, 'changed-'));
    const kept = new Map<string, Buffer | null>([...files, ...Object.entries(changes)]);
    for (const [name, content] of kept) if (content === null) kept.delete(name);
    unpackInto(place, kept as Map<string, Buffer>);
    return verdictOn(place, ...more);
  }
  const serviceKeys = async (): Promise<string> => {
    const file = join(folder, `jwks-${++made}.json`);
    writeFileSync(file, (await world.request('GET', '/.well-known/jwks.json', { key: null })).text);
    return file;
  };

  it('needs nothing but Node.js and the archive, packed or not, and says so in words', async () => {
    const place = mkdtempSync(join(folder, 'unpacked-'));
    unpackInto(place, files);
    for (const told of [
      await verifyBundle([archive]),
      await verifyBundle([place]),
      await verifyBundle([], join(place, 'verify.mjs')),
    ]) {
      expect(told.err).toBe('');
      expect(told.code).toBe(0);
      expect(told.out).toContain('VERDICT: GENUINE');
      expect(told.out).toContain(`everything about ${adaId}`);
      expect(told.out).toContain('Each of 7 records has its receipt');
    }
    expect(files.get('verify.mjs')!.equals(readFileSync(VERIFIER))).toBe(true);
  });

  it('compares the keys with those of the service', async () => {
    expect(await verdictOn(archive, '--keys', await serviceKeys())).toMatchObject({
      verdict: 'GENUINE',
      keysCompared: true,
    });
    const others = join(folder, 'others.json');
    writeFileSync(others, JSON.stringify({ keys: [] }));
    expect((await verdictOn(archive, '--keys', others)).problems).toMatchObject([{ member: 'keys.json' }]);
  });

  it('names every file of which one byte was changed', async () => {
    expect(files.size).toBeGreaterThan(MEMBERS.length);
    for (const [name, content] of files) {
      for (const place of new Set([0, content.length >> 1, content.length - 1])) {
        const other = Buffer.from(content);
        other[place]! ^= 1;
        const { verdict, problems } = await changed({ [name]: other });
        expect([name, place, verdict, problems.map(({ member }) => member)]).toEqual([
          name,
          place,
          'NOT_GENUINE',
          [name],
        ]);
      }
    }
  });

  it('names every file that is missing, and every one that was added', async () => {
    for (const name of files.keys()) {
      const { verdict, problems } = await changed({ [name]: null });
      expect([verdict, problems.map(({ member }) => member)]).toEqual(['NOT_GENUINE', [name]]);
    }
    const more = await changed({ 'texts/more.json': Buffer.from('{}') });
    expect(new Set(more.problems.map(({ member }) => member))).toEqual(new Set(['texts/more.json']));
  });

  /** A forger has no key of the service: whatever is changed, the manifest is signed anew by one of his own. */
  function forged(changes: Record<string, Buffer>, withKeys: boolean): Record<string, Buffer> {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' }) as { x: string };
    const kid = createHash('sha256')
      .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))
      .digest('base64url');
    // One that will sign some day: receipts of today are not its affair.
    const signsFrom = '2099-01-01T00:00:00.000Z';
    const key = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', signsFrom, revokedAt: null };
    const { keys } = JSON.parse(files.get('keys.json')!.toString()) as { keys: object[] };
    const all = { ...changes, ...(withKeys && { 'keys.json': Buffer.from(JSON.stringify({ keys: [...keys, key] })) }) };
    const manifest = JSON.parse(files.get('manifest.json')!.toString()) as {
      members: { name: string; bytes: number; sha256: string }[];
    };
    for (const member of manifest.members) {
      const content = all[member.name as keyof typeof all] as Buffer | undefined;
      if (!content) continue;
      member.bytes = content.length;
      member.sha256 = createHash('sha256').update(content).digest('hex');
    }
    const base64url = (text: string): string => Buffer.from(text).toString('base64url');
    const signed = `${base64url(canonicalJson({ alg: 'EdDSA', kid, typ: 'audit-bundle+jws' }))}.${base64url(canonicalJson(manifest))}`;
    const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url');
    return {
      ...all,
      'manifest.json': Buffer.from(`${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`),
      'manifest.jws': Buffer.from(`${signed}.${signature}\n`),
    };
  }
  const refused = { verdict: 'NOT_GENUINE' };

  it('refuses what was signed by a key that is not the service’s', async () => {
    const other = Buffer.from(files.get('records.csv')!.toString().replace('DENIED', 'GRANTED'));
    expect(await changed(forged({ 'records.csv': other }, false))).toMatchObject({
      ...refused,
      problems: [{ member: 'manifest.jws' }],
    });
    // With a key of the forger's own in the archive only the key set of the service tells.
    const whole = forged({ 'records.csv': other }, true);
    const { verdict, problems } = await changed(whole, '--keys', await serviceKeys());
    expect([verdict, problems.map(({ member }) => member)]).toEqual(['NOT_GENUINE', ['manifest.jws', 'keys.json']]);
  });

  const lines = (name: string): string[] => files.get(name)!.toString().trimEnd().split('\n');
  const joined = (all: string[]): Buffer => Buffer.from(`${all.join('\n')}\n`);
  /** Whatever the manifest says: these do not agree with each other. */
  test.each<[string, string, () => Record<string, Buffer>]>([
    [
      'a decision that is another one than in its receipt',
      'receipts.jsonl',
      () => ({
        'records.jsonl': Buffer.from(
          files.get('records.jsonl')!.toString().replace('"decision":"DENIED"', '"decision":"GRANTED"'),
        ),
      }),
    ],
    [
      'a record that was taken out',
      'receipts.jsonl',
      () => ({
        'records.jsonl': joined(lines('records.jsonl').filter((line) => !line.includes('"decision":"WITHDRAWN"'))),
      }),
    ],
    [
      'a receipt that was taken out',
      'receipts.jsonl',
      () => ({ 'receipts.jsonl': joined(lines('receipts.jsonl').slice(0, -1)) }),
    ],
    [
      'a receipt too many',
      'receipts.jsonl',
      () => ({ 'receipts.jsonl': joined([...lines('receipts.jsonl'), lines('receipts.jsonl')[0]!]) }),
    ],
    [
      'receipts that changed places',
      'receipts.jsonl',
      () => ({ 'receipts.jsonl': joined(lines('receipts.jsonl').reverse()) }),
    ],
    [
      'records that changed places',
      'records.jsonl',
      () => ({ 'records.jsonl': joined(lines('records.jsonl').reverse()) }),
    ],
    [
      'a receipt that says something else than what was signed',
      'receipts.jsonl',
      () => ({
        'receipts.jsonl': Buffer.from(
          files.get('receipts.jsonl')!.toString().replace('"legalBasis":"CONSENT"', '"legalBasis":"CONTRACT"'),
        ),
      }),
    ],
    [
      'rules without that of a place',
      'policies.jsonl',
      () => ({ 'policies.jsonl': joined(lines('policies.jsonl').slice(1)) }),
    ],
    ['a list of texts without one', 'texts/', () => ({ 'texts.jsonl': joined(lines('texts.jsonl').slice(1)) })],
    [
      'a proof that leads elsewhere',
      'proofs.jsonl',
      () => ({
        'proofs.jsonl': joined(lines('proofs.jsonl').map((line) => line.replace(/"hashes":\["./, '"hashes":["/'))),
      }),
    ],
    [
      'a proof that was taken out',
      'proofs.jsonl',
      () => ({ 'proofs.jsonl': joined(lines('proofs.jsonl').slice(0, -1)) }),
    ],
    [
      'a proof too many',
      'proofs.jsonl',
      () => ({ 'proofs.jsonl': joined([...lines('proofs.jsonl'), lines('proofs.jsonl')[0]!]) }),
    ],
    ['proofs that changed places', 'proofs.jsonl', () => ({ 'proofs.jsonl': joined(lines('proofs.jsonl').reverse()) })],
    [
      'a proof of another leaf than its record',
      'proofs.jsonl',
      () => ({ 'proofs.jsonl': joined(lines('proofs.jsonl').map((line) => line.replace('GRANTED', 'DENIED'))) }),
    ],
    [
      'an event that the ledger knows otherwise',
      'proofs.jsonl',
      () => ({
        'records.jsonl': Buffer.from(
          files.get('records.jsonl')!.toString().replace('"kind":"visitor_id"', '"kind":"device_id"'),
        ),
      }),
    ],
    [
      'a checkpoint that nobody signed',
      'checkpoint',
      () => ({
        checkpoint: Buffer.from(
          files
            .get('checkpoint')!
            .toString()
            .replace(/\n(\d+)\n/, (_, size: string) => `\n${Number(size) + 1}\n`),
        ),
      }),
    ],
  ])('finds %s', async (_, member, changes) => {
    const { verdict, problems } = await changed(forged(changes(), true));
    expect(verdict).toBe('NOT_GENUINE');
    expect(problems.filter((problem) => problem.member.startsWith(member))).not.toEqual([]);
  });

  it('finds a signature that was made from another one', async () => {
    const L = 2n ** 252n + 27742317777372353535851937790883648493n;
    const all = jsonLines<{ receipt: object; jws: string }>(files.get('receipts.jsonl')!);
    const [header, payload, signature] = all[0]!.jws.split('.') as [string, string, string];
    const bytes = Buffer.from(signature, 'base64url');
    let s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L;
    for (let i = 32; i < 64; i++, s >>= 8n) bytes[i] = Number(s & 255n);
    all[0]!.jws = `${header}.${payload}.${bytes.toString('base64url')}`;
    const { problems } = await changed(
      forged({ 'receipts.jsonl': joined(all.map((each) => JSON.stringify(each))) }, true),
    );
    expect(problems).toContainEqual({ member: 'receipts.jsonl', detail: expect.stringContaining('S is not below L') });
  });

  it('ends with 2 where there is no archive', async () => {
    expect(await verifyBundle([join(folder, 'none.zip')])).toMatchObject({ code: 2, out: '' });
    writeFileSync(join(folder, 'no.zip'), 'no archive');
    expect(await verifyBundle([join(folder, 'no.zip')])).toMatchObject({ code: 2, out: '' });
  });
});

describe('assent audit bundle', () => {
  it('says how it is called', async () => {
    const called = (...args: string[]) => assent(['audit', 'bundle', ...args], {});
    const out = join(folder, 'never.zip');
    expect((await called('--subject', 'email:a@example.org')).code).toBe(2);
    expect(await called('--out', out)).toMatchObject({ code: 2, err: expect.stringContaining('--subject') });
    expect(
      (await called('--out', out, '--since', '2026-01-01T00:00:00Z', '--subject', 'email:a@example.org')).code,
    ).toBe(2);
    expect((await called('--out', out, '--since', 'yesterday')).code).toBe(2);
    expect((await called('--out', out, '--since', '2026-01-01T00:00:00Z', '--through', 'x')).code).toBe(2);
  });

  it('is on record before a byte leaves', async () => {
    const file = join(folder, 'operations.jsonl');
    await aboutAda('--operator', 'auditing ada');
    await aboutAda('--operator', 'auditing ada', '--with-personal-data');
    const { code } = await assent(['audit', 'export', '--since', '2026-01-01T00:00:00Z', '--out', file], {
      ASSENT_DATA: world.dataFolder,
      DATABASE_URL: world.databaseUrl!,
    });
    expect(code).toBe(0);
    const records = jsonLines<Line>(readFileSync(file)).filter(({ data }) => data?.by?.user === 'auditing ada');
    expect(records.map(({ type, data }) => [type, data.subjectId, data.identifiers ?? null])).toEqual([
      ['SubjectShown', adaId, 'MASKED'],
      ['AuditExported', adaId, null],
    ]);
  });
});
