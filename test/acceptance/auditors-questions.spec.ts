import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CANARY, SIGNED_AT, somebodyAsked, type AskedPerson } from '../support/asked-person.js';
import { jsonLines, unpacked, verdictOn } from '../support/audit-bundle.js';
import { assent } from '../support/command-line.js';
import { mailsTo, tokenIn, until } from '../support/double-opt-in.js';
import { signIdentityToken } from '../support/identity-token.js';
import { VERIFIERS, type Jwk } from '../support/receipt-verifiers.js';
import { purposeFile } from '../support/purposes.js';
import { newEmail, subjectPath, subjectsIn } from '../support/subjects.js';
import { startToldSystem, type ToldSystem } from '../support/told-system.js';
import { pathOf, startWorld, type World } from '../support/world.js';

/*
 * The guide for auditors lists 27 questions with the call that answers each. The calls are taken from the guide and made,
 * about people of whom it is known what the answer must be.
 */

interface Row {
  number: number;
  question: string;
  /** Null: what a later release answers. */
  call: string | null;
}

const GUIDE = readFileSync(new URL('../../docs/guides/auditors.md', import.meta.url), 'utf8');
const ROWS: Row[] = [...GUIDE.matchAll(/^\| (\d+) \| ([^|]+) \| (?:`([^`]+)`|later) \| [^|]+ \|$/gm)].map(
  ([, number, question, call]) => ({ number: Number(number), question: question!, call: call ?? null }),
);
const LATER = [23];

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into freely
type Json = any;

let world: World;
let folder: string;
let person: AskedPerson;
let known: Record<string, string>;
let held: string;
let gone: { id: string; receipt: string };
let askedAgain: string;
let before: string;
let crm: ToldSystem;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.7 CanaryBuild/9731';
const { decide, erase } = subjectsIn(() => world);

beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-questions-'));
  crm = await startToldSystem(world);
  person = await somebodyAsked(world);
  const { ada, receipts } = person;
  before = await firstRecorded('analytics', 'GRANTED');
  await vouchedFor(ada);
  await confirmedByMail(ada);
  held = `email:${newEmail()}`;
  await decide(held, { analytics: 'GRANTED' });
  await world.request('POST', subjectPath(held, '/restrict'), {
    body: { until: '2028-01-01T00:00:00.000Z', reason: CANARY },
  });
  const leaving = await decide(`email:${newEmail()}`, { analytics: 'GRANTED' });
  const { body: erased } = await erase(`subject:${leaving.body.results[0].record.subject.id as string}`);
  gone = { id: erased.receipt.subject.id as string, receipt: erased.receipt.id as string };
  askedAgain = await staleSince();
  await manyDecided('counted');
  const { body: shown } = await world.request('GET', pathOf(ada, '/history?purpose=analytics'));
  known = {
    subject: ada,
    purpose: 'analytics',
    version: '1',
    locale: 'de',
    text: shown.data.at(-1).notice.contentHash as string,
    vouched: 'sale_of_data',
    imported: 'marketing',
    shown: 'analytics',
    withdrawn: 'analytics',
    withdrawal: receipts.withdrawn,
    day: before,
    renewed: 'asked_again',
    held,
    erasure: gone.receipt,
    counted: 'counted',
    site: world.demo.site,
    now: await crm.toldAbout(person.adaId),
  };
  await world.caughtUp();
});
afterAll(async () => {
  await world?.stop();
  await crm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function firstRecorded(purpose: string, decision: string): Promise<string> {
  const { body } = await world.request('GET', pathOf(person.ada, `/history?purpose=${purpose}`));
  return (body.data as { decision: string; recordedAt: string }[]).findLast((each) => each.decision === decision)!
    .recordedAt;
}

/** A page that writes for a person whom its server knows. */
async function vouchedFor(subject: string): Promise<void> {
  const token = signIdentityToken({ secretKey: world.demo.secretKey, site: world.demo.site, subject });
  await world.recorded(
    { subject, purpose: 'sale_of_data', decision: 'OBJECTED' },
    {
      key: 'pk',
      from: '203.0.113.77',
      headers: { 'Consent-Identity': token, Origin: 'http://localhost:3000', 'User-Agent': FIREFOX },
    },
  );
}

async function confirmedByMail(subject: string): Promise<void> {
  const to = subject.slice('email:'.length);
  await world.request('POST', '/v1/preferences/confirmation-token', {
    body: {
      subject,
      to,
      channel: 'email',
      values: [{ field: 'news', value: true }],
      redirectUrl: 'https://demo.example/thanks',
    },
  });
  const mail = await until(async () => (await mailsTo(world, to))[0]);
  await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token: tokenIn(mail.text, 'cft') } });
  await until(async () => {
    const { body } = await world.request('GET', subjectPath(subject, '/preferences/history'));
    return (body.data as { object: string }[]).find(({ object }) => object === 'preference_confirmation_mail');
  });
}

/** Enough people to be counted; and three who could be found, were their number told. */
async function manyDecided(purpose: string): Promise<void> {
  await world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, {
    key: 'operator',
    body: { purposes: [purposeFile(purpose)] },
  });
  const records = [
    [12, 'GRANTED'],
    [10, 'DENIED'],
    [3, 'WITHDRAWN'],
  ].flatMap(([times, decision]) =>
    Array.from({ length: times as number }, () => ({ subject: world.visitor(), purpose, decision })),
  );
  await world.request('POST', '/v1/consent/batch', { body: { records } });
}

/** Somebody who agreed to a text that has changed in substance since; answers whose id that is. */
async function staleSince(): Promise<string> {
  const publish = (description: string, more: object): Promise<unknown> =>
    world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, {
      key: 'operator',
      body: {
        purposes: [
          {
            key: 'asked_again',
            legalBasis: 'CONSENT',
            consentModel: 'OPT_IN',
            category: 'ANALYTICS',
            controller: { name: 'Shop', contact: 'privacy@shop.example' },
            defaultLocale: 'en',
            translations: { en: { name: 'Statistics', description } },
            ...more,
          },
        ],
      },
    });
  await publish('First words.', {});
  const { body } = await world.recorded({ purpose: 'asked_again' }, { key: 'sk' });
  await publish('Other things.', { change: { kind: 'MATERIAL', summary: 'More is counted.' } });
  return body.subject.id as string;
}

/** Makes the call of a row; answers the body, or the lines of the file that the command wrote. */
async function answerTo({ number, call }: Row): Promise<Json> {
  const file = join(folder, `${number}`);
  const filled = (encode: (text: string) => string): string =>
    call!.replace(/\{(\w+)\}/g, (_, name: string) => encode(name === 'file' ? file : known[name]!));
  if (call!.startsWith('GET ')) {
    const { status, body } = await world.request('GET', filled(encodeURIComponent).slice('GET '.length));
    expect([number, status]).toEqual([number, 200]);
    return body;
  }
  const [program, ...args] = filled((text) => text).split(' ');
  expect(program).toBe('assent');
  const { code, out, err } = await assent(args, { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! });
  if (code !== 0) throw new Error(`${call}: ${out}${err}`);
  return args.includes('--out') ? file : JSON.parse(out);
}

const newest = ({ data }: Json): Json => data[0];
const oldest = ({ data }: Json): Json => data.at(-1);
const ofType = (file: string, type: string): Json[] =>
  jsonLines<Json>(readFileSync(file)).filter((line) => line.type === type);

const EXPECTED: Record<number, (answer: Json) => void | Promise<void>> = {
  1: ({ id, identifiers }) => {
    expect(id).toBe(person.adaId);
    expect(identifiers).toContainEqual(
      expect.objectContaining({
        kind: 'email',
        value: person.ada.slice('email:'.length),
        source: 'API',
        addedAt: expect.stringMatching(/^20/),
      }),
    );
    expect(identifiers.map(({ kind }: Json) => kind)).toContain('visitor_id');
  },
  2: (history) =>
    expect(newest(history).provenance.identity).toEqual({
      keyId: `key_${world.demo.secretKey.slice(8, 20)}`,
      issuedAt: expect.stringMatching(/^20/),
    }),
  3: (history) => {
    const { givenAt, recordedAt: written, source } = oldest(history);
    expect([givenAt, source]).toEqual([SIGNED_AT, 'IMPORT']);
    expect(written > givenAt).toBe(true);
  },
  4: ({ purposes }) =>
    expect(purposes).toMatchObject({
      analytics: { state: 'WITHDRAWN' },
      marketing: { state: 'WITHDRAWN' },
      sale_of_data: { state: 'OBJECTED' },
      fraud_prevention: { state: 'NOT_COLLECTED' },
    }),
  5: (purpose) => {
    expect(purpose).toMatchObject({ key: 'analytics', version: 1, locale: 'de', legalBasis: 'CONSENT' });
    expect(purpose.contentHash).toBe(known['text']);
    for (const member of ['legalText', 'controller', 'recipients', 'retention', 'dataCategories'])
      expect(purpose[member]).toBeTruthy();
  },
  6: async ({ kind, content, contentHash }) => {
    expect([kind, contentHash]).toEqual(['PURPOSE', known['text']]);
    const { body } = await world.request('GET', '/v1/purposes/analytics/versions/1?locale=de');
    expect(content.text).toMatchObject({ name: body.name, description: body.description, legalText: body.legalText });
  },
  7: (history) => expect([shown(history).notice.locale, shown(history).collection.locale]).toEqual(['de', 'de-AT']),
  8: (history) => {
    const { collection, presentation } = shown(history);
    expect([collection.method, collection.surface]).toEqual(['SAVE_CHOICES', 'BANNER']);
    const asked = presentation.purposes.find(({ key }: Json) => key === 'analytics');
    expect(asked.default).toBe('DENIED');
  },
  9: (history) => expect(oldest(history).collection.url).toBe(`https://demo.example/${CANARY}`),
  10: ({ because }) => {
    const { text } = because.find(({ step }: Json) => step === 'POLICY');
    expect(text).toContain('California');
  },
  11: ({ data }) => {
    const of = (object: string): Json => data.find((item: Json) => item.object === object);
    const request = data.find(({ object, mail }: Json) => object === 'preference_confirmation_request' && mail);
    expect(request.text.paragraphs.length).toBeGreaterThan(0);
    expect(of('preference_confirmation_mail').delivery).toMatchObject({
      messageId: request.mail.messageId,
      outcome: 'ACCEPTED',
    });
    expect(of('preference_confirmation')).toMatchObject({ requestId: request.id, confirmedAt: expect.any(String) });
  },
  12: (history) => expect(newest(history).provenance).toMatchObject({ ip: '203.0.113.0', userAgent: 'Firefox 140' }),
  13: async ({ receipt }) => {
    expect(receipt.purposes[0].previousReceipt).toBe(person.receipts.agreed);
    const { body } = await world.request('GET', `/v1/receipts/${person.receipts.agreed}`);
    expect(body.receipt.purposes[0]).toMatchObject({ state: 'GRANTED', previousReceipt: null });
  },
  14: (history) => {
    const withdrawal = history.data.find(({ decision }: Json) => decision === 'WITHDRAWN');
    expect(withdrawal).toMatchObject({
      state: 'WITHDRAWN',
      receiptId: person.receipts.withdrawn,
      appliedToState: true,
    });
  },
  15: ({ purposes }) => expect(purposes.analytics).toMatchObject({ state: 'GRANTED', effective: 'ALLOWED' }),
  16: (file) => {
    const deliveries = jsonLines<Json>(unpacked(file).get('deliveries.jsonl')!);
    const withdrawal = deliveries.find(({ subjectId }) => subjectId === person.adaId);
    expect(withdrawal).toMatchObject({
      endpoint: crm.endpoint,
      origin: crm.origin,
      type: 'consent.withdrawn',
      outcome: 'DELIVERED',
      attempts: [{ number: 1, status: 204, reason: null, at: expect.stringMatching(/^20/) }],
    });
  },
  17: async ({ jws }) => {
    const { keys } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).body as { keys: Jwk[] };
    for (const verifies of Object.values(VERIFIERS)) expect(await verifies(jws, keys)).toBe(true);
  },
  18: ({ leaves, breaks }) => {
    expect(leaves).toBeGreaterThan(0);
    expect(breaks.filter(({ site }: Json) => site === world.demo.site)).toEqual([]);
  },
  19: (history) =>
    expect(oldest(history)).toMatchObject({
      source: 'IMPORT',
      evidence: [{ type: 'DOCUMENT', sha256: 'b'.repeat(64) }],
      metadata: { note: CANARY },
      provenance: { keyId: `key_${world.demo.secretKey.slice(8, 20)}` },
    }),
  20: (file) => {
    const merges = ofType(file, 'SubjectsMerged');
    expect(new Set(merges.map(({ data }) => data.role))).toEqual(new Set(['ABSORBED', 'SURVIVOR']));
    expect(new Set(merges.map(({ subjectId }) => subjectId)).size).toBe(2);
    const absorbed = merges.find(({ data }) => data.role === 'ABSORBED');
    expect(absorbed).toMatchObject({
      data: { survivorId: person.adaId, reason: CANARY },
      recordedAt: expect.any(String),
    });
    expect(absorbed.actor).toContain(world.demo.secretKey.slice(8, 20));
  },
  21: ({ data }) => expect(data.map(({ subject }: Json) => subject.id)).toEqual([askedAgain]),
  22: (file) => {
    const [hold] = ofType(file, 'SubjectRestricted');
    expect(hold.data).toMatchObject({ until: '2028-01-01T00:00:00.000Z', reason: CANARY });
    expect(hold.actor).toContain(world.demo.secretKey.slice(8, 20));
  },
  24: ({ receipt }) => {
    expect(receipt.subject.id).toBe(gone.id);
    expect(receipt.erased.destroyed).toContain('SUBJECT_KEY');
    expect(receipt.kept[0].under).toContain('GDPR art. 7(1)');
  },
  25: ({ data }) => {
    const reads = data as { subject: { id: string }; reader: string; operation: string; reads: number }[];
    const histories = reads.find(({ operation }) => operation === 'getConsentHistory')!;
    expect(histories.reader).toBe(`key_${world.demo.secretKey.slice(8, 20)}`);
    expect(histories.reads).toBeGreaterThan(1);
    expect(reads.every(({ reader }) => /^(key_|operator:)/.test(reader))).toBe(true);
  },
  27: ({ periods }) =>
    expect(periods.at(-1)).toMatchObject({ grants: 12, refusals: 10, withdrawals: null, suppressed: ['withdrawals'] }),
  26: async (file) => expect(await verdictOn(file)).toMatchObject({ verdict: 'GENUINE', problems: [] }),
};

/** The decision that a banner asked for. */
const shown = ({ data }: Json): Json => data.find(({ presentation }: Json) => presentation);

it('are 27, and those that nothing answers yet say so', () => {
  expect(ROWS.map(({ number }) => number)).toEqual(Array.from({ length: 27 }, (_, i) => i + 1));
  expect(ROWS.filter(({ call }) => call === null).map(({ number }) => number)).toEqual(LATER);
});

test.each(ROWS.filter(({ call }) => call !== null))('$number: $question', async (row) =>
  EXPECTED[row.number]!(await answerTo(row)),
);

it('find nothing in any record that was not to be kept', async () => {
  const file = join(folder, 'everything.jsonl');
  const { code, err } = await assent(
    ['audit', 'export', '--since', '2026-01-01T00:00:00Z', '--site', world.demo.site, '--out', file],
    { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! },
  );
  expect([code, err]).toEqual([0, expect.any(String)]);
  const all = readFileSync(file, 'utf8');
  expect(all).toContain('ConsentRecorded');
  for (const kept of ['203.0.113.77', 'CanaryBuild', 'session=1', CANARY, person.ada.slice('email:'.length)])
    expect(all).not.toContain(kept);
});
