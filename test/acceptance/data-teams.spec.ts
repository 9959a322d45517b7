import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import pg from 'pg';
import { consentStateProjection } from '../../libs/consent/read/projection.js';
import { assent as runInProcess, type Outcome } from '../support/command-line.js';
import { subjectsIn } from '../support/subjects.js';
import { pathOf, startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';

const VIEWS = ['read.current_consent', 'read.current_preferences', 'read.decisions', 'read.purposes'];
const ADA = 'email:ada.lovelace@example.org';
const ROLE = `analyst_${process.pid}`;

let world: World;
let folder: string;
let owner: pg.Client;
/** Address of the database for the data team. */
let url: string;
const subjects = subjectsIn(() => world);

const assent = (args: string[], env: Record<string, string> = {}): Promise<Outcome> =>
  runInProcess(args, { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl!, ...env });
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs read what they expect
const json = async (args: string[], env: Record<string, string> = {}): Promise<any> => {
  const { out, err } = await assent([...args, '--json'], env);
  try {
    return JSON.parse(out);
  } catch {
    throw new Error(`no JSON from ${args.join(' ')}: ${out}${err}`);
  }
};
async function asDataTeam<T>(work: (client: pg.Client) => Promise<T>, address = url): Promise<T> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
const read = (query: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> =>
  asDataTeam(async (client) => (await client.query(query, values)).rows);
/** What the data team is told; a grant that is missing would be told as rows. */
const refusal = (client: pg.Client, statement: string): Promise<string> =>
  client.query(statement).then(
    () => 'allowed',
    ({ code }: { code: string }) => code,
  );
const decided = async (): Promise<number> => Number((await read('select count(*) from read.decisions'))[0]!['count']);

beforeAll(async () => {
  world = await startWorld({ own: true });
  folder = mkdtempSync(join(tmpdir(), 'assent-data-'));
  owner = new pg.Client({ connectionString: world.databaseUrl! });
  await owner.connect();
  for (const decision of ['GRANTED', 'DENIED'])
    await world.recorded(
      { subject: ADA, decision, purpose: 'marketing', metadata: { note: 'said by Ada' } },
      { key: 'sk' },
    );
  for (let n = 0; n < 5; n++)
    await world.recorded({
      jurisdiction: { country: 'DE', source: 'DETECTED' },
      collection: { method: 'TOGGLE', surface: 'BANNER', bannerVersion: Number.MAX_SAFE_INTEGER },
    });
  const { status, text } = await world.request('POST', '/v1/preferences', {
    key: 'sk',
    body: { subject: ADA, values: [{ field: 'channels.push.topics.news', value: true }] },
  });
  expect({ status, text }).toMatchObject({ status: 201 });
  await world.caughtUp();
});
afterAll(async () => {
  if (owner) await assent(['data-role', 'drop', ROLE]);
  await owner?.end();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a data role', () => {
  it('is made by one command, which shows its password once and is on record', async () => {
    const made = await json(['data-role', 'create', ROLE, '--operator', 'ada']);
    expect(made).toMatchObject({ name: ROLE, created: true, missing: [] });
    expect(made.views.sort()).toEqual(VIEWS);
    url = made.url;
    expect(await read('select current_user')).toEqual([{ current_user: ROLE }]);
    expect(await json(['data-role', 'create', ROLE])).toMatchObject({ created: false, url: null, missing: [] });
    const changed = await json(['data-role', 'create', ROLE, '--new-password']);
    await expect(read('select 1')).rejects.toMatchObject({ code: '28P01' });
    url = changed.url;
    const { rows } = await owner.query<{ data: string }>(
      `select data from log.events where stream = 'operations' and type = 'DataRoleChanged' order by revision`,
    );
    expect(rows.map(({ data }) => JSON.parse(data))).toMatchObject([
      { by: { user: 'ada' }, role: ROLE, change: 'CREATED' },
      { role: ROLE, change: 'RIGHTS_GIVEN' },
      { role: ROLE, change: 'PASSWORD_CHANGED' },
    ]);
    expect(JSON.stringify(rows)).not.toContain(new URL(url).password);
  });

  it('reads the published views and is refused on everything else: log, vault, write side, key hashes, tables of read models', async () => {
    const { rows } = await owner.query<{ name: string; readable: boolean }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
       order by 1`,
    );
    const names = rows.map(({ name }) => name);
    // The test is worth nothing where these are not among them.
    expect(names).toEqual(
      expect.arrayContaining([
        ...VIEWS,
        'log.events',
        'vault.subject_keys',
        'vault.identifiers',
        'vault.sealed_secrets',
        'write.idempotency',
        'write.erased_subjects',
        'read.site_state',
        'read.site_keys',
        'read.consent_state',
        `read.consent_state_v${consentStateProjection.version}`,
        'read.consent_decisions',
        'projection.shards',
        'snapshot.streams',
        'public.assent_migrations',
      ]),
    );
    await asDataTeam(async (client) => {
      const told: Record<string, string> = {};
      for (const name of names) told[name] = await refusal(client, `select * from ${name} limit 1`);
      expect(
        Object.entries(told)
          .filter(([, answer]) => answer === 'allowed')
          .map(([name]) => name),
      ).toEqual(VIEWS);
      expect(new Set(Object.values(told))).toEqual(new Set(['allowed', '42501']));
    });
  });

  it('changes nothing, whatever it tries: rows, tables, rights, functions of the log, other roles', async () => {
    await asDataTeam(async (client) => {
      await client.query('set default_transaction_read_only = off');
      for (const statement of [
        ...VIEWS.flatMap((view) => [
          `delete from ${view}`,
          `create or replace view ${view} as select 1`,
          `drop view ${view}`,
        ]),
        'create table read.mine (n int)',
        'create table public.mine (n int)',
        'create schema mine',
        `select * from log.append('{}', '{}', '{}', '{}', '{}', '{}', '{}', 100)`,
        `select log.tombstone('operations')`,
        `alter role ${ROLE} superuser`,
        'create role another',
        `copy (select 1) to '/tmp/assent-data-role'`,
        `select pg_read_file('/etc/passwd')`,
      ]) {
        const told = await refusal(client, statement);
        expect({ statement, told }).toEqual({ statement, told: expect.stringMatching(/^(42501|55000)$/) });
      }
      // Not refused but without effect: Postgres only warns of it.
      await client.query('grant select on read.decisions to public');
    });
    const { rows } = await owner.query(`select has_table_privilege('public', 'read.decisions', 'select') as may`);
    expect(rows).toEqual([{ may: false }]);
  });

  it('is not a role that somebody else has made, and has a plain name', async () => {
    const { rows } = await owner.query<{ name: string }>('select current_user as name');
    for (const [name, code] of [
      [rows[0]!.name, 'data_role_taken'],
      ['pg_monitor', 'data_role_invalid'],
      ['a; drop table x', 'data_role_invalid'],
    ] as const)
      for (const command of ['create', 'drop'])
        expect(await assent(['data-role', command, name])).toMatchObject({
          code: 1,
          err: expect.stringContaining(code),
        });
    expect((await assent(['data-role', 'drop', 'nobody_there'])).err).toContain('data_role_unknown');
    expect((await json(['data-role', 'list'])).data).toContainEqual({
      name: ROLE,
      views: expect.any(Array),
      missing: [],
    });
  });
});

describe('the published views', () => {
  it('are documented as they are', async () => {
    const page = readFileSync('docs/guides/data-teams.md', 'utf8');
    for (const view of VIEWS) {
      const columns = (await asDataTeam((client) => client.query(`select * from ${view} limit 0`))).fields.map(
        ({ name }) => name,
      );
      const section = page
        .slice(page.indexOf(`\n### \`${view}\``))
        .split('\n### ')[1]!
        .split('\n## ')[0]!;
      const rows = [...section.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, names]) =>
        names!.split(', ').map((name) => name.replaceAll('`', '')),
      );
      expect({ view, columns: rows }).toEqual({ view, columns });
    }
  });

  it('answer what the HTTP interface answers', async () => {
    const { body } = await world.request('GET', pathOf(ADA), { key: 'sk' });
    const [row] = await read('select * from current_consent where purpose = $1', ['marketing']);
    const { state, purposeVersion, givenAt, recordedAt, source } = body.purposes.marketing;
    expect(row).toMatchObject({
      subject_id: body.subject.id,
      site: 'demo',
      env: 'test',
      state,
      source,
      decision: 'DENIED',
    });
    expect([row!['purpose_version'], row!['given_at'].toISOString(), row!['recorded_at'].toISOString()]).toEqual([
      purposeVersion,
      givenAt,
      recordedAt,
    ]);
    await until(async () => (await decided()) === 7);
    expect(
      await read(
        `select decision, previous_state, state, applied from decisions where purpose = 'marketing' order by position`,
      ),
    ).toEqual([
      { decision: 'GRANTED', previous_state: 'NOT_COLLECTED', state: 'GRANTED', applied: true },
      { decision: 'DENIED', previous_state: 'GRANTED', state: 'WITHDRAWN', applied: true },
    ]);
    expect(
      await read(
        `select distinct country, method, surface, banner_version, actor from decisions where purpose = 'analytics'`,
      ),
    ).toEqual([
      {
        country: 'DE',
        method: 'TOGGLE',
        surface: 'BANNER',
        banner_version: String(Number.MAX_SAFE_INTEGER),
        actor: 'SUBJECT',
      },
    ]);
    expect(await read(`select channel, topic, state, sendable from current_preferences`)).toEqual([
      { channel: 'push', topic: 'news', state: 'GRANTED', sendable: true },
    ]);
    const purposes = await world.request('GET', '/v1/purposes', { key: 'pk' });
    expect(
      (await read(`select purpose from purposes where in_force and site = 'demo' and env = 'test' order by 1`)).map(
        ({ purpose }) => purpose,
      ),
    ).toEqual(purposes.body.data.map(({ key }: { key: string }) => key).sort());
  });

  it('hold nothing personal', async () => {
    const all = await asDataTeam(async (client) => {
      const texts: string[] = [];
      for (const view of VIEWS) texts.push(JSON.stringify((await client.query(`select * from ${view}`)).rows));
      return texts.join('\n');
    });
    expect(all).not.toMatch(/lovelace|said by|ada\b|127\.0\.0|\$sealed/i);
  });

  it('say of erased subjects only that something was decided, from the moment of the erasure on', async () => {
    const email = 'grace.hopper@example.org';
    const id = await subjects.person(email);
    await subjects.decide(`email:${email}`, { analytics: 'GRANTED', marketing: 'DENIED' });
    await world.request('POST', '/v1/preferences', {
      key: 'sk',
      body: { subject: `email:${email}`, values: [{ field: 'channels.push.topics.news', value: true }] },
    });
    await until(async () => (await read('select from decisions where subject_id = $1', [id])).length === 2);
    const before = await decided();
    expect((await subjects.erase(`email:${email}`)).status).toBe(200);
    // Not later: an analyst who looks after the answer finds nobody.
    for (const view of VIEWS.filter((each) => each !== 'read.purposes'))
      expect({ view, rows: await read(`select from ${view} where subject_id = $1`, [id]) }).toEqual({ view, rows: [] });
    expect(await decided()).toBe(before);
    expect(
      await read('select purpose, decision from decisions where subject_id is null and record_id is null order by 1'),
    ).toEqual([
      { purpose: 'analytics', decision: 'GRANTED' },
      { purpose: 'marketing', decision: 'DENIED' },
    ]);
  });

  it('are read by the data team while everything is rebuilt, without an error and without a row less', async () => {
    const subject = world.visitor();
    await world.recorded({ subject });
    await world.caughtUp();
    let running = true;
    let reads = 0;
    const wrong: unknown[] = [];
    const reader = asDataTeam(async (client) => {
      for (let seen = 0; running; reads++) {
        const { rows } = await client.query<{ n: number }>('select count(*)::int as n from current_consent');
        const { rows: names } = await client.query('select from purposes');
        if (rows[0]!.n < seen || names.length === 0) wrong.push({ rows, seen, names });
        seen = rows[0]!.n;
      }
    });
    const writer = (async () => {
      while (running) await world.recorded();
    })();
    for (const name of ['consent_state', 'consent_decisions', 'catalogue_state', 'preference_state'])
      expect(await json(['projections', 'rebuild', name, '--verify'])).toMatchObject({ switched: true });
    running = false;
    await Promise.all([reader, writer]);
    expect({ wrong, enough: reads > 5 }).toEqual({ wrong: [], enough: true });
    const { body } = await world.recorded({ subject, decision: 'DENIED' });
    await until(async () => (await read('select from decisions where record_id = $1', [body.id])).length === 1);
    await until(
      async () =>
        (await read('select state from current_consent where subject_id = $1', [body.subject.id]))[0]?.['state'] ===
        'WITHDRAWN',
    );
    expect((await json(['data-role', 'list'])).data).toContainEqual({
      name: ROLE,
      views: expect.any(Array),
      missing: [],
    });
    expect(await json(['audit', 'verify'])).toMatchObject({ differences: 0 });
  });
});

describe('assent export', () => {
  /** By RFC 4180. */
  const parsed = (csv: string): Record<string, string>[] => {
    const lines: string[][] = [[]];
    for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
      lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
      if (end !== ',') lines.push([]);
    }
    const [head, ...rows] = lines.slice(0, -1);
    return rows.map((cells) => Object.fromEntries(head!.map((name, i) => [name, cells[i]!])));
  };

  it('writes a view as CSV and as Parquet, with the same rows as the view, for the data team itself too', async () => {
    await until(async () =>
      (await json(['projections', 'status'])).data.every(({ lagSeconds }: { lagSeconds: number }) => lagSeconds === 0),
    );
    for (const view of VIEWS) {
      const name = view.replace('read.', '');
      const rows = await read(`select * from ${view}`);
      const [csv, parquet] = [join(folder, `${name}.csv`), join(folder, `${name}.parquet`)];
      expect(await json(['export', name, '--out', csv])).toMatchObject({
        view: name,
        rows: rows.length,
        format: 'csv',
        file: csv,
      });
      // No key, no log, no vault: what the data team may read is enough.
      const asAnalyst = await json(['export', name, '--out', parquet], { DATABASE_URL: url });
      expect(asAnalyst).toMatchObject({ rows: rows.length, bytes: statSync(parquet).size });
      expect(statSync(csv).mode & 0o777).toBe(0o600);

      const plain = (value: unknown): string =>
        value === null ? '' : value instanceof Date ? value.toISOString() : String(value);
      const texts = (all: readonly Record<string, unknown>[]): string[] =>
        all.map((row) => JSON.stringify(Object.values(row).map(plain))).sort();
      expect(texts(parsed(readFileSync(csv, 'utf8')))).toEqual(texts(rows));
      const file = await asyncBufferFromFile(parquet);
      expect(texts(await parquetReadObjects({ file }))).toEqual(texts(rows));
      // An instant, and not the time of some clock: DuckDB makes it TIMESTAMPTZ.
      const { schema } = await parquetMetadataAsync(file);
      const times = schema.filter(({ converted_type }) => converted_type === 'TIMESTAMP_MILLIS');
      const dated = Object.keys(rows[0]!).filter((column) => rows.some((row) => row[column] instanceof Date));
      expect(times.map((column) => column.name)).toEqual(expect.arrayContaining(dated));
      for (const { logical_type } of times)
        expect(logical_type).toEqual({ type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' });
    }
  });

  it('takes what was recorded since a time, of one site and environment', async () => {
    const [{ at }] = (await read('select max(recorded_at) as at from decisions')) as [{ at: Date }];
    await pause(5);
    const { body } = await world.recorded();
    await until(async () => (await read('select from decisions where record_id = $1', [body.id])).length === 1);
    const since = new Date(at.getTime() + 1).toISOString();
    const { out, err } = await assent(['export', 'decisions', '--since', since, '--site', 'demo', '--env', 'test']);
    expect(parsed(out).map(({ record_id: id }) => id)).toEqual([body.id]);
    expect(err).toMatch(/1 rows, [\d,]+ bytes, sha256 [0-9a-f]{64}/);
    expect(parsed((await assent(['export', 'decisions', '--env', 'live'])).out)).toEqual([]);
  });

  it('says so where it is asked wrongly, or may not read', async () => {
    const file = join(folder, 'never.csv');
    for (const args of [
      ['current_consent', '--format', 'xml'],
      ['current_consent', '--env', 'prod'],
      ['decisions', '--since', 'yesterday'],
      ['purposes', '--since', '2026-01-01T00:00:00Z'],
      ['purposes', '--json'],
      [],
    ])
      expect({ args, code: (await assent(['export', ...args])).code }).toEqual({ args, code: 2 });
    expect((await assent(['export', 'site_keys', '--out', file])).err).toContain(
      'There are: current_consent, decisions, current_preferences, purposes.',
    );
    await owner.query(`revoke select on read.decisions from ${ROLE}`);
    const { code, err } = await assent(['export', 'decisions', '--out', file], { DATABASE_URL: url });
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('view_not_readable') });
    expect(await assent(['data-role', 'list'])).toMatchObject({ code: 1 });
    await json(['data-role', 'create', ROLE]);
    expect((await assent(['export', 'decisions'], { DATABASE_URL: url })).code).toBe(0);
    expect(() => statSync(file)).toThrow('ENOENT');
  });
});

describe('a data role that goes', () => {
  it('ends its sessions and can log in no more', async () => {
    const client = new pg.Client({ connectionString: url });
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    expect(await json(['data-role', 'drop', ROLE])).toEqual({ name: ROLE, dropped: true });
    await ended;
    await expect(read('select 1')).rejects.toMatchObject({ code: '28P01' });
  });
});
