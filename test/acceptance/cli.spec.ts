import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assent as runInProcess, spawnAssent, type Outcome } from '../support/command-line.js';
import { startWorld, type World } from '../support/world.js';

const DEMO = fileURLToPath(new URL('../../apps/standalone/demo/purposes', import.meta.url));

let world: World;
let folder: string;

/** By default the command finds service and token in the world's data folder. */
const assent = (args: string[], env: Record<string, string> = { ASSENT_DATA: world.dataFolder }): Promise<Outcome> =>
  runInProcess(args, env);

const edit = (file: string, from: string, to: string): void =>
  writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replace(from, to));

beforeAll(async () => {
  world = await startWorld({ own: true });
  folder = mkdtempSync(join(tmpdir(), 'assent-cli-'));
  cpSync(DEMO, folder, { recursive: true });
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('assent catalogue apply', () => {
  it('publishes nothing where nothing changed', async () => {
    const outcome = await assent(['catalogue', 'apply', folder]);
    expect(outcome.code).toBe(0);
    expect(outcome.out).toContain('nothing changed, nothing published');
    // The program is what the other tests call without a process of its own.
    expect(await spawnAssent(['catalogue', 'apply', folder], { ASSENT_DATA: world.dataFolder })).toEqual(outcome);
  });

  it('shows what would change with --dry-run, publishes it without, and then finds nothing left to do', async () => {
    edit('analytics.yaml', 'validityDays: 365', 'validityDays: 300');
    const dry = await assent(['catalogue', 'apply', folder, '--dry-run', '--json']);
    const changes = (published: boolean) => ({
      published,
      changes: expect.arrayContaining([
        { object: 'purpose', key: 'analytics', action: 'PUBLISH', version: 2, changed: ['validityDays'] },
      ]),
    });
    expect(JSON.parse(dry.out)).toEqual(changes(false));
    const { body: before } = await world.request('GET', '/v1/purposes/analytics/versions');
    expect(before.data).toHaveLength(1);

    const applied = await assent(['catalogue', 'apply', folder]);
    expect(applied.code).toBe(0);
    expect(applied.out).toMatch(/analytics\.yaml +analytics +new version +2 +validityDays/);
    expect(applied.out).toContain('1 of 5 published in demo test');
    const again = await assent(['catalogue', 'apply', folder, '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ published: false });
  });

  it('publishes the template of a folder, and names its file where it is refused', async () => {
    const withTemplate = join(folder, 'whole');
    cpSync(join(DEMO, '..'), withTemplate, { recursive: true });
    const template = join(withTemplate, 'template.yaml');
    const text = readFileSync(template, 'utf8');
    writeFileSync(template, text.replace('max: 120', 'max: 130'));
    const applied = await assent(['catalogue', 'apply', withTemplate]);
    expect(applied.out).toMatch(/template\.yaml +preference_template +new version +2 +fields\.age/);
    expect(applied.out).toMatch(/purposes\/marketing\.yaml +marketing +unchanged/);
    writeFileSync(template, text.replace('min: 16', 'min: 140').replace('kind: DATE', 'kind: DAY'));
    expect((await assent(['catalogue', 'apply', withTemplate])).err).toMatch(
      /template\.yaml:\d+ +sections\[4\]\.fields\[1\]\.kind +must be one of/,
    );
    writeFileSync(template, text.replace('min: 16', 'min: 140'));
    expect((await assent(['catalogue', 'apply', withTemplate])).err).toMatch(
      /template\.yaml:\d+ +sections\[4\]\.fields\[2\]\.validation\.max +must not be below min/,
    );
  });

  it('names the file of a purpose that is refused', async () => {
    edit('marketing.yaml', 'legalBasis: CONSENT', 'legalBasis: CONTRACT');
    const { code, out, err } = await assent(['catalogue', 'apply', folder]);
    edit('marketing.yaml', 'legalBasis: CONTRACT', 'legalBasis: CONSENT');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/marketing\.yaml:\d+ +legalBasis +must be CONSENT/);
  });

  it('says which file cannot be read, before anything is sent', async () => {
    for (const [content, problem] of [
      ['key: [', /broken\.yaml:1 +is not YAML/],
      ['a: &a [*a]', /broken\.yaml +holds an alias that refers to itself/],
    ] as const) {
      writeFileSync(join(folder, 'broken.yaml'), content);
      const { code, err } = await assent(['catalogue', 'apply', folder], {
        ASSENT_URL: 'http://127.0.0.1:9',
        ASSENT_OPERATOR_TOKEN: 'x',
      });
      rmSync(join(folder, 'broken.yaml'));
      expect(code).toBe(1);
      expect(err).toMatch(problem);
    }
  });
});

describe('assent catalogue diff and export', () => {
  const inFolder = <T>(work: (folder: string) => Promise<T>): Promise<T> => {
    const own = mkdtempSync(join(tmpdir(), 'assent-export-'));
    return work(own).finally(() => rmSync(own, { recursive: true, force: true }));
  };

  it('writes files that apply reads again with nothing to do', () =>
    inFolder(async (own) => {
      const exported = JSON.parse((await assent(['catalogue', 'export', own, '--json'])).out) as {
        files: { file: string; action: string }[];
      };
      expect(exported.files.map(({ file }) => file)).toEqual(
        expect.arrayContaining(['purposes/analytics.yaml', 'template.yaml']),
      );
      expect(exported.files.every(({ action }) => action === 'WRITTEN')).toBe(true);
      const none = await assent(['catalogue', 'diff', own]);
      expect([none.code, none.out]).toEqual([0, 'no differences to demo test\n']);
      expect((await assent(['catalogue', 'apply', own])).out).toContain('nothing changed, nothing published');
    }));

  it('shows line by line what apply would publish, and ends with 3', () =>
    inFolder(async (own) => {
      await assent(['catalogue', 'export', own]);
      const file = join(own, 'purposes/analytics.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/validityDays: \d+/, 'validityDays: 123'));
      rmSync(join(own, 'purposes/marketing.yaml'));
      const { code, out } = await assent(['catalogue', 'diff', own]);
      expect(code).toBe(3);
      expect(out).toMatch(/^purposes\/analytics\.yaml: analytics, new version \d+ \(validityDays\)$/m);
      expect(out).toMatch(/^-validityDays: \d+$/m);
      expect(out).toMatch(/^\+validityDays: 123$/m);
      expect(out).toMatch(/^without a file here, and left alone: marketing/m);
      const json = JSON.parse((await assent(['catalogue', 'diff', own, '--json'])).out) as Record<string, unknown>;
      expect(json).toMatchObject({ site: 'demo', env: 'test', differs: true, withoutFile: ['marketing'] });
      // It only looked.
      expect((await assent(['catalogue', 'diff', own])).code).toBe(3);
    }));

  it('types writes the names of what is published, for programs to be compiled with', () =>
    inFolder(async (own) => {
      const file = join(own, 'catalogue.d.ts');
      expect((await assent(['catalogue', 'types', file])).out).toBe(`${file} written\n`);
      const text = readFileSync(file, 'utf8');
      expect(text).toContain('from demo test. Not to be edited.');
      expect(text).toMatch(/^    purpose: 'analytics' \| .*'marketing'/m);
      expect(text).toMatch(/^    topic: .*'news'/m);
      const nowhere = await assent(['catalogue', 'types', join(own, 'nowhere', 'catalogue.d.ts')]);
      expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('cannot be written')]);
    }));

  it('simulate tells before whom publishing would concern, and publishes nothing', () =>
    inFolder(async (own) => {
      // Three visitors, beside the person of the demo whose portal the start shows.
      for (const decision of ['GRANTED', 'GRANTED', 'DENIED'])
        await world.recorded({ decision, jurisdiction: { country: 'DE', source: 'DETECTED' } });
      await world.caughtUp();
      await assent(['catalogue', 'export', own]);
      const none = await assent(['catalogue', 'simulate', own]);
      expect([none.code, none.out]).toEqual([
        0,
        expect.stringMatching(/no difference to any of 4 subjects of demo test/),
      ]);
      const file = join(own, 'purposes/analytics.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/validityDays: \d+/, 'validityDays: 77'));
      const simulated = await assent(['catalogue', 'simulate', own]);
      expect(simulated.out).toMatch(/^analytics +DE +2 +2 +0$/m);
      expect(simulated.out).toMatch(/^of 4 subjects of demo test at .*; nothing published$/m);
      const json = await assent(['catalogue', 'simulate', own, '--at', '2020-01-01T00:00:00Z', '--json']);
      expect(JSON.parse(json.out)).toMatchObject({
        site: 'demo',
        at: '2020-01-01T00:00:00.000Z',
        changes: expect.arrayContaining([expect.objectContaining({ key: 'analytics', action: 'PUBLISH' })]),
        subjects: 4,
        impacts: [],
      });
      expect((await assent(['catalogue', 'diff', own])).code).toBe(3);
      const bad = await assent(['catalogue', 'simulate', own, '--at', 'soon']);
      expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('at')]);
    }));

  it('replaces no file that says something else, unless it is told to', () =>
    inFolder(async (own) => {
      mkdirSync(join(own, 'purposes'));
      // Where a purpose has a file already, it stays in that one.
      writeFileSync(join(own, 'stats.yaml'), 'key: analytics');
      const refused = await assent(['catalogue', 'export', own]);
      expect(refused.code).toBe(1);
      expect(refused.err).toContain('files_exist: 1 of ');
      expect(refused.err).toMatch(/^stats\.yaml +is there already$/m);
      expect(readdirSync(join(own, 'purposes'))).toEqual([]);
      const forced = await assent(['catalogue', 'export', own, '--force']);
      expect(forced.out).toMatch(/^stats\.yaml +replaced$/m);
      expect((await assent(['catalogue', 'diff', own])).code).toBe(0);
      expect((await assent(['catalogue', 'export', own])).out).toMatch(/^stats\.yaml +unchanged$/m);
    }));

  it('does neither with a folder that holds bad files, which it names all at once', () =>
    inFolder(async (own) => {
      await assent(['catalogue', 'export', own]);
      writeFileSync(join(own, 'a.yaml'), 'key: [');
      writeFileSync(join(own, 'b.yaml'), 'key: b\ncolour: red');
      for (const command of ['apply', 'diff', 'simulate']) {
        const { code, out } = await assent(['catalogue', command, own, '--json']);
        expect(code).toBe(1);
        const { issues } = JSON.parse(out) as { issues: { file: string; line: number; path: string; fix?: string }[] };
        expect(issues).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ file: 'a.yaml', line: 1, fix: expect.any(String) }),
            expect.objectContaining({ file: 'b.yaml', line: 2, path: 'colour' }),
          ]),
        );
      }
      expect((await assent(['catalogue', 'export', own, '--force'])).err).toMatch(/^a\.yaml:1 /m);
    }));
});

describe('assent sites and keys', () => {
  it('registers a site, issues a key that works, lists it without showing it, and revokes it', async () => {
    const site = await assent([
      'sites',
      'register',
      'shop',
      '--name',
      'Shop',
      '--test-origin',
      'http://localhost:8080',
      '--pk-limit',
      '50/150',
      '--json',
    ]);
    expect(JSON.parse(site.out)).toMatchObject({
      site: 'shop',
      allowedOrigins: { test: ['http://localhost:8080'], live: [] },
      rateLimits: { pk: { perSecond: 50, burst: 150 }, sk: null },
    });

    const issued = JSON.parse(
      (await assent(['keys', 'issue', '--site', 'shop', '--type', 'sk', '--name', 'backend', '--json'])).out,
    ) as { id: string; key: string };
    expect((await world.request('GET', '/v1/purposes', { key: issued.key })).status).toBe(200);

    const listed = await assent(['keys', 'list', '--site', 'shop']);
    expect(listed.out).toContain(issued.id);
    expect(listed.out).not.toContain(issued.key);

    expect((await assent(['keys', 'revoke', issued.id, '--site', 'shop', '--reason', 'test'])).out).toContain(
      'revoked',
    );
    expect((await world.request('GET', '/v1/purposes', { key: issued.key })).status).toBe(401);
  });

  it('rotates a key: the old one is listed with its end and its successor, and cannot be rotated again', async () => {
    const old = JSON.parse(
      (await assent(['keys', 'issue', '--type', 'sk', '--env', 'live', '--name', 'turning', '--json'])).out,
    ) as { id: string; key: string };
    const shown = await assent(['keys', 'rotate', old.id, '--overlap', '1h', '--reason', 'test']);
    expect(shown.code).toBe(0);
    const [key] = /^sk_live_\w{50}$/m.exec(shown.out)!;
    expect(shown.out).toContain(`${old.id} works until `);
    for (const each of [old.key, key])
      expect((await world.request('GET', '/v1/purposes', { key: each })).status).toBe(200);

    const listed = JSON.parse((await assent(['keys', 'list', '--env', 'live', '--state', 'live', '--json'])).out) as {
      data: { id: string; name: string; rotatedFrom: string | null; replacedBy: string | null }[];
      hasMore: boolean;
    };
    const [successor, before] = listed.data.filter(({ name }) => name === 'turning');
    expect([successor!.rotatedFrom, before!.replacedBy, before!.id, listed.hasMore]).toEqual([
      old.id,
      successor!.id,
      old.id,
      false,
    ]);
    expect((await assent(['keys', 'list'])).out).toContain(`→${successor!.id}`);

    const again = await assent(['keys', 'rotate', old.id]);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toMatch(
      new RegExp(`^state_conflict: The key was rotated already\\.\nRotate its successor, ${successor!.id}`),
    );
    expect((await assent(['keys', 'rotate', successor!.id, '--overlap', 'soon', '--json'])).out).toContain(
      "Option '--overlap <time>' argument 'soon' is invalid. Allowed choices are 0, 1h, 24h, 7d.",
    );
    expect((await assent(['keys', 'rotate', successor!.id, '--overlap', '0'])).out).toContain(
      `${successor!.id} works no longer.`,
    );
    expect((await world.request('GET', '/v1/purposes', { key })).status).toBe(401);
  });

  it('adds origins from many places at once and loses none', async () => {
    const origins = Array.from({ length: 12 }, (_, n) => `http://localhost:${7000 + n}`);
    const added = await Promise.all(origins.map((origin) => assent(['sites', 'origins', 'add', origin])));
    expect(added.map(({ code }) => code)).toEqual(origins.map(() => 0));
    const listed = async (): Promise<string[]> => {
      const { data } = JSON.parse((await assent(['sites', 'list', '--json'])).out) as {
        data: { site: string; allowedOrigins: { test: string[] } }[];
      };
      return data.find(({ site }) => site === 'demo')!.allowedOrigins.test;
    };
    expect(await listed()).toEqual(expect.arrayContaining(origins));
    const [one, ...others] = origins as [string, ...string[]];
    // Whatever else is changed meanwhile.
    const [removed] = await Promise.all([
      assent(['sites', 'origins', 'remove', ...others]),
      assent(['sites', 'register', 'demo', '--name', 'Demo Shop', '--live-origin', 'https://shop.example']),
    ]);
    expect(removed.code).toBe(0);
    const left = await listed();
    expect(left).toContain(one);
    expect(left).not.toEqual(expect.arrayContaining([others[0]]));
  });

  it('says what to do about a site that is not there, a wrong token, and an origin that is none', async () => {
    for (const args of [
      ['sites', 'origins', 'add', 'http://localhost:1', '--site', 'demmo'],
      ['keys', 'list', '--site', 'demmo'],
      ['keys', 'issue', '--type', 'pk', '--name', 'a', '--site', 'demmo'],
      ['catalogue', 'apply', folder, '--site', 'demmo'],
    ]) {
      const { code, err } = await assent(args);
      expect(code).toBe(1);
      expect(err).toMatch(/There is no (such )?site/);
      expect(err).toContain('Did you mean demo? List the sites with: assent sites list.');
    }
    const { err } = await assent(['sites', 'origins', 'add', 'localhost:1']);
    expect(err).toMatch(/add\[0\] +must be an origin such as https:\/\/shop\.example/);
  });

  it('lists sites', async () => {
    expect((await assent(['sites', 'list'])).out).toMatch(/^demo +Demo Shop/m);
  });
});

describe('assent', () => {
  it('tells whether the service is ready, without a token', async () => {
    const { code, out } = await assent(['status', '--json'], { ASSENT_URL: world.url });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ url: world.url, status: 'ready' });
  });

  it('says in one line that the service cannot be reached', async () => {
    const { code, out, err } = await assent(['status'], { ASSENT_URL: 'http://127.0.0.1:59999' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('unreachable: Assent cannot be reached at http://127.0.0.1:59999 (ECONNREFUSED).');
  });

  it('sends the token of a data folder to no other address', async () => {
    const { code, err } = await assent(['--url', 'http://127.0.0.1:59999', 'sites', 'list']);
    expect(code).toBe(2);
    expect(err).toContain('No operator token for http://127.0.0.1:59999.');
  });

  it('never shows a token, not even a wrong one', async () => {
    const { code, out, err } = await assent(['sites', 'list', '--json'], {
      ASSENT_URL: world.url,
      ASSENT_OPERATOR_TOKEN: 'op_not-this-one',
    });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ code: 'api_key_invalid' });
    expect(out + err).not.toContain('op_not-this-one');
  });

  it('exits with 2 where it is called wrongly', async () => {
    for (const args of [
      ['nonsense'],
      ['keys', 'issue'],
      ['keys', 'rotate'],
      ['catalogue', 'apply'],
      ['sites', 'register', 'a', '--name', 'A', '--pk-limit', 'much'],
    ])
      expect((await assent(args)).code).toBe(2);
    expect((await spawnAssent(['nonsense'], {})).code).toBe(2);
  });

  it('prints no colours into a pipe', async () => {
    const { out, err } = await spawnAssent(['keys', 'list', '--site', 'nobody'], { ASSENT_DATA: world.dataFolder });
    expect(out + err).not.toContain('\u001b');
  });
});
