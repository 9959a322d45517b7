import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assent, type Outcome } from '../support/command-line.js';
import { pathOf, startWorld, type World } from '../support/world.js';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-import-'));
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const run = (...args: string[]): Promise<Outcome> =>
  assent(['import', ...args, '--site', world.demo.site], {
    ASSENT_URL: world.url,
    ASSENT_OPERATOR_TOKEN: world.demo.operatorToken,
  });
async function answered(...args: string[]): Promise<{ code: number | null; answered: Record<string, unknown> }> {
  const { code, out } = await run(...args, '--json');
  return { code, answered: JSON.parse(out) as Record<string, unknown> };
}
const stateOf = async (subject: string): Promise<Record<string, string>> => {
  const { body } = await world.request('GET', `${pathOf(subject)}?fresh=true`, { key: 'sk' });
  const purposes = body.purposes as Record<string, { state: string }>;
  return Object.fromEntries(Object.entries(purposes).map(([purpose, { state }]) => [purpose, state]));
};
const historyOf = async (subject: string): Promise<Record<string, unknown>[]> =>
  (await world.request('GET', pathOf(subject, '/history'), { key: 'sk' })).body.data as Record<string, unknown>[];

const HEADER = 'subject,purpose,decision,given_at';
/** A grant of today's purposes ends some time: what was said has to be recent. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const AT = daysAgo(30);

describe('assent import', () => {
  it('records what a plain CSV says, once, however often and in which form it comes', async () => {
    const [ada, bob] = [world.visitor(), world.visitor()];
    const text = `${HEADER}\n${ada},analytics,GRANTED,${AT}\n${ada},marketing,denied,${AT}\n${bob},analytics,DENIED,${AT}\n`;
    const plain = file('plain.csv', text);
    expect(await answered(plain, '--map', 'csv')).toMatchObject({
      code: 0,
      answered: { rows: 3, records: 3, recorded: 3, recordedBefore: 0, subjects: 2, rowsRejected: 0 },
    });
    expect(await stateOf(ada)).toMatchObject({ analytics: 'GRANTED', marketing: 'DENIED' });
    expect(await stateOf(bob)).toMatchObject({ analytics: 'DENIED' });
    const [record] = await historyOf(bob);
    expect(record).toMatchObject({ source: 'MIGRATION', givenAt: AT });

    // Renamed and packed; with the rows in another order; as JSON Lines; with other rows behind.
    const rows = text.trim().split('\n').slice(1);
    const forms = [
      file('renamed.txt.gz', gzipSync(text)),
      file('turned.csv', `\ufeff${[HEADER, ...rows.reverse()].join('\r\n').replaceAll(',', ';')}`),
      file(
        'lines.jsonl',
        rows
          .map((row) => row.split(','))
          .map(([subject, purpose, decision, given_at]) => JSON.stringify({ subject, purpose, decision, given_at }))
          .join('\n'),
      ),
    ];
    for (const form of forms)
      expect(await answered(form, '--map', 'csv')).toMatchObject({
        code: 0,
        answered: { recorded: 0, recordedBefore: 3 },
      });
    const longer = file('longer.csv', `${text}${bob},marketing,GRANTED,${daysAgo(20)}\n`);
    expect(await answered(longer, '--map', 'csv')).toMatchObject({
      code: 0,
      answered: { recorded: 1, recordedBefore: 3 },
    });
    expect(await historyOf(ada)).toHaveLength(2);
    expect(await historyOf(bob)).toHaveLength(2);
  });

  it('rejects wrong rows alone, with line and reason, into a file that can be mended and imported', async () => {
    const [ada, bob] = [world.visitor(), world.visitor()];
    const wrong = [
      `${bob},analytics,GRANTED,2026-03-01 10:00`,
      `${bob},nothere,GRANTED,2026-03-01T10:00:00Z`,
      `${bob},"marketing,GRANTED,2026-03-04T10:00:00Z`,
      'email:x,analytics,GRANTED,2026-03-01T10:00:00Z',
    ];
    const path = file(
      'wrong.csv',
      [HEADER, wrong[0], `${ada},analytics,GRANTED,2026-03-01T10:00:00Z`, ...wrong.slice(1), ''].join('\n'),
    );
    const rejects = join(folder, 'rejected.csv');
    const dry = await answered(path, '--map', 'csv', '--dry-run');
    expect(dry).toMatchObject({
      code: 4,
      answered: { rowsRejected: 4, wouldBeRecorded: 1, samples: [{ subject: ada }, {}] },
    });
    const done = await answered(path, '--map', 'csv', '--rejects', rejects);
    expect(done).toMatchObject({ code: 4, answered: { recorded: 1, rowsRejected: 4, rejects } });
    expect((done.answered['reasons'] as { code: string }[]).map(({ code }) => code).sort()).toEqual([
      'date_invalid',
      'purpose_unknown',
      'row_unreadable',
      'subject_ref_invalid',
    ]);
    const lines = readFileSync(rejects, 'utf8').trim().split('\n');
    expect(lines[0]).toBe(`${HEADER},import_line,import_error`);
    for (const [i, row] of wrong.entries())
      expect(lines[i + 1]).toMatch(new RegExp(`^${row.replace(/[.*+?()|[\]\\]/g, '\\$&')},${[2, 4, 5, 6][i]!},`));

    // It never replaces what is there.
    expect(await run(path, '--map', 'csv', '--rejects', rejects)).toMatchObject({
      code: 2,
      err: expect.stringContaining('exists already') as unknown,
    });
    const mended = file(
      'mended.csv',
      readFileSync(rejects, 'utf8')
        .replace('2026-03-01 10:00,', '2026-03-01T10:00:00Z,')
        .replace('nothere', 'marketing')
        .replace('"marketing,', 'marketing,')
        .replace('email:x', 'email:x@example.org'),
    );
    const again = await answered(mended, '--map', 'csv');
    expect(again.answered['reasons']).toEqual([]);
    expect(again).toMatchObject({ code: 0, answered: { recorded: 4 } });
  });

  it('takes one date for all rows without one, says so in each record, and rejects them otherwise', async () => {
    const ada = world.visitor();
    const path = file('undated.csv', `subject,purpose,decision\n${ada},analytics,GRANTED\n`);
    expect(await answered(path, '--map', 'csv')).toMatchObject({
      code: 4,
      answered: { reasons: [{ code: 'date_missing' }] },
    });
    expect(await answered(path, '--map', 'csv', '--given-at', '2025-01-01T00:00:00Z')).toMatchObject({ code: 0 });
    expect(await historyOf(ada)).toMatchObject([
      { givenAt: '2025-01-01T00:00:00.000Z', metadata: { given_at: 'set for the whole import' } },
    ]);
  });

  it('reads a file by a map: windows-1252, semicolons, dates of a zone, a column for each purpose', async () => {
    const map = file(
      'map.yaml',
      `encoding: windows-1252
dates: { format: "dd.MM.yyyy HH:mm", zone: Europe/Berlin }
purposes: { Werbung: marketing }
common:
  subject: { kind: user_id, column: Kunde }
  givenAt: Datum
  metadata: { shop: Filiale }
records:
  - { purpose: { constant: analytics }, decision: { column: Statistik, values: { ja: GRANTED, nein: DENIED } } }
  - { purpose: { constant: Werbung }, decision: { column: Werbung, values: { ja: GRANTED, nein: DENIED } } }
`,
    );
    const id = world.visitor().split(':')[1]!;
    const text = `Kunde;Datum;Filiale;Statistik;Werbung\n${id};01.07.2025 12:00;"K\u00f6ln;\nMitte";ja;nein\n`;
    const path = file('german.csv', Buffer.from(text, 'latin1'));
    expect(await answered(path, '--map', map)).toMatchObject({ code: 0, answered: { rows: 1, recorded: 2 } });
    const common = { givenAt: '2025-07-01T10:00:00.000Z', metadata: { shop: 'K\u00f6ln;\nMitte' } };
    const history = await historyOf(`user_id:${id}`);
    expect(history).toHaveLength(2);
    expect(history).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...common, purpose: 'analytics', decision: 'GRANTED' }),
        expect.objectContaining({ ...common, purpose: 'marketing', decision: 'DENIED' }),
      ]),
    );
  });

  it('says what is wrong with a map, with line and place, and what of it the file lacks, before it sends anything', async () => {
    const map = file('bad.yaml', 'records:\n  - subject: Kunde\n    purpos: p\n    decision: d\n');
    const path = file('bad.csv', 'a,b\n1,2\n');
    expect(await run(path, '--map', map)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /bad\.yaml:3 +records\[0\]\.purpos +is no field here; did you mean "purpose"\?/,
      ) as unknown,
    });
    writeFileSync(map, 'records:\n  - { subject: a, purpose: Zweck, decision: b }\n');
    expect(await run(path, '--map', map)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/records\[0\]\.purpose +the file has no column "Zweck"/) as unknown,
    });
    expect(await run(path, '--map', 'nothere')).toMatchObject({ code: 2 });
    expect(await run(join(folder, 'nothere.csv'), '--map', 'csv')).toMatchObject({ code: 2 });
    expect(await run(file('list.json', '[{}]'), '--map', 'csv')).toMatchObject({
      code: 1,
      err: expect.stringContaining('jq -c') as unknown,
    });
    expect(await run(file('empty.csv', ''), '--map', 'csv')).toMatchObject({
      code: 1,
      err: expect.stringContaining('file_empty') as unknown,
    });
  });

  it('records preferences, beside consents in one file', async () => {
    const ada = world.visitor();
    const path = file(
      'both.csv',
      `subject,purpose,decision,channel,field,value,given_at\n${ada},analytics,DENIED,,,,${AT}\n${ada},,,email,news,false,${AT}\n${ada},,,,language,de,${AT}\n${ada},,,email,nothere,true,${AT}\n`,
    );
    const first = await answered(path, '--map', 'csv');
    expect(first).toMatchObject({ code: 4, answered: { records: 4, recorded: 3, recordsRejected: 1 } });
    expect(first.answered['reasons']).toMatchObject([{ line: '5' }]);
    const { body } = await world.request('GET', `/v1/subjects/${encodeURIComponent(ada)}/preferences?fresh=true`, {
      key: 'sk',
    });
    expect(body.channels).toMatchObject({ email: { topics: { news: { state: 'DENIED' } } } });
    expect(await answered(path, '--map', 'csv')).toMatchObject({ answered: { recorded: 0, recordedBefore: 3 } });
  });

  it('says whether all of a file is recorded, and what something newer stands before', async () => {
    const [ada, bob] = [world.visitor(), world.visitor()];
    const path = file('checked.csv', `${HEADER}\n${ada},analytics,GRANTED,${AT}\n${bob},analytics,GRANTED,${AT}\n`);
    const before = await answered(path, '--map', 'csv', '--check');
    expect(before).toMatchObject({ code: 1, answered: { isComplete: false, missing: 2, recordedBefore: 0 } });
    expect(await historyOf(ada)).toEqual([]);
    await world.recorded({ subject: bob, decision: 'WITHDRAWN' });
    expect(await answered(path, '--map', 'csv')).toMatchObject({ code: 0, answered: { recorded: 2, superseded: 1 } });
    const after = await answered(path, '--map', 'csv', '--check');
    expect(after).toMatchObject({
      code: 0,
      answered: { isComplete: true, missing: 0, recordedBefore: 2, superseded: 1 },
    });
    expect(await stateOf(bob)).toMatchObject({ analytics: 'WITHDRAWN' });
  });

  const id = '9556b7f5-ae22-4616-97f9-3f61e22f0ec7';
  const iso = AT;
  it.each<[string, string, string, string[], string, Record<string, string>]>([
    [
      'cookiebot',
      'log.csv',
      `Key;Date (UTC);Country;URL;Preferences;Statistics;Marketing\nG+6rYDfrzwrZItFRfHCbe8iQ/w==;${iso};Germany;shop.example/;true;true;false\n`,
      ['--purpose', 'preferences='],
      'visitor_id:G-6rYDfrzwrZItFRfHCbe8iQ_w',
      { analytics: 'GRANTED', marketing: 'DENIED' },
    ],
    [
      'onetrust',
      'receipts.jsonl',
      `${JSON.stringify({
        id,
        dataSubjectIdentifier: `onetrust-${id}@shop.example`,
        interactionDate: iso,
        test: false,
        geolocation: { country: 'DE' },
        purposes: [
          { id: 'f2229953', name: 'Analytics', version: 2, transactionType: 'CONFIRMED' },
          { id: 'f2229954', name: 'Marketing', version: 1, transactionType: 'OPT_OUT' },
          { id: 'f2229955', name: 'Other', version: 1, transactionType: 'NO_CHOICE' },
        ],
      })}\n`,
      ['--purpose', 'f2229953=analytics', '--purpose', 'f2229954=marketing'],
      `email:onetrust-${id}@shop.example`,
      { analytics: 'GRANTED', marketing: 'WITHDRAWN' },
    ],
    [
      'usercentrics',
      'history.csv',
      `"Controller ID","Timestamp","CMP Configuration ID","CMP Configuration Version","Consent Action","Data Processing Service ID","Data Processing Service Version","Consent Given","Consent String"
"${'c'.repeat(64)}","${iso}","s","1","onUpdateServices","HkocEodjb7","3","true",""
"${'c'.repeat(64)}","${iso}","s","1","onUpdateServices","S1_9Vsuj-Q","3","false",""
`,
      ['--purpose', 'HkocEodjb7=analytics', '--purpose', 'S1_9Vsuj-Q=marketing'],
      `visitor_id:${'c'.repeat(64)}`,
      { analytics: 'GRANTED', marketing: 'DENIED' },
    ],
    [
      'didomi',
      'events.json',
      `${JSON.stringify({
        id: 'e1',
        created_at: iso,
        status: 'confirmed',
        user: { id, organization_user_id: 'u1', last_seen_country: 'FR' },
        consents: {
          purposes: [
            { id: 'cookies', enabled: true },
            { id: 'ads', enabled: false },
            { id: 'fraud', enabled: null, enabled_li: false },
          ],
        },
      })}\n`,
      ['--purpose', 'cookies=analytics', '--purpose', 'ads=marketing', '--purpose', 'fraud=sale_of_data'],
      `visitor_id:${id}`,
      { analytics: 'GRANTED', marketing: 'DENIED' },
    ],
    [
      'c15t',
      'c15t.csv',
      `id,subject_id,external_id,purpose,granted,given_at,valid_until,ui_source,consent_action,jurisdiction
cns_1,sub_3zqcd4X9QpVdfJ8bX2,,measurement,t,${iso.replace('T', ' ').replace('Z', '+00')},,banner,custom,GDPR
cns_1,sub_3zqcd4X9QpVdfJ8bX2,,marketing,f,${iso.replace('T', ' ').replace('Z', '+00')},,banner,custom,GDPR
`,
      [],
      'visitor_id:sub_3zqcd4X9QpVdfJ8bX2',
      { analytics: 'GRANTED', marketing: 'DENIED' },
    ],
  ])('brings what %s exports', async (preset, name, content, args, subject, states) => {
    const done = await answered(file(name, gzipSync(content)), '--map', preset, ...args);
    expect(done.answered['reasons']).toEqual([]);
    expect(done.code).toBe(0);
    expect(await stateOf(subject)).toMatchObject(states);
    expect(await answered(join(folder, name), '--map', preset, ...args, '--check')).toMatchObject({
      code: 0,
      answered: { isComplete: true },
    });
  });

  it('acts for the owner of a secret key too', async () => {
    const ada = world.visitor();
    const path = file('key.csv', `${HEADER}\n${ada},analytics,GRANTED,${AT}\n`);
    const key = file('key.txt', world.demo.secretKey);
    const { code } = await assent(['import', path, '--map', 'csv', '--key-file', key], { ASSENT_URL: world.url });
    expect(code).toBe(0);
    expect(await stateOf(ada)).toMatchObject({ analytics: 'GRANTED' });
  });
});
