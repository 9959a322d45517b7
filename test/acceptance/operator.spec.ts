import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { assent as runInProcess, spawnAssent, type Outcome } from '../support/command-line.js';
import { pathOf, startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';

const ADA = 'email:ada.lovelace@example.org';
const GRACE = 'email:grace.hopper@example.org';

let world: World;
let folder: string;
let database: pg.Client;

/** The command beside the world: same settings, no HTTP. */
const beside = (env: Record<string, string>): Record<string, string> => ({
  ASSENT_DATA: world.dataFolder,
  DATABASE_URL: world.databaseUrl!,
  ...env,
});
const assent = (args: string[], env: Record<string, string> = {}): Promise<Outcome> => runInProcess(args, beside(env));
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs read what they expect
const json = async (args: string[], env: Record<string, string> = {}, run = runInProcess): Promise<any> => {
  const { out, err } = await run([...args, '--json'], beside(env));
  try {
    return JSON.parse(out);
  } catch {
    throw new Error(`no JSON from ${args.join(' ')}: ${out}${err}`);
  }
};
const sql = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await database.query<R>(text, values)).rows;
const operations = async (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  (
    await sql<{ type: string; data: string }>(
      `select type, data from log.events where stream = 'operations' order by revision`,
    )
  ).map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));

beforeAll(async () => {
  world = await startWorld({ breakable: true });
  folder = mkdtempSync(join(tmpdir(), 'assent-operator-'));
  database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
  for (const subject of [ADA, GRACE]) {
    for (const decision of ['GRANTED', 'DENIED'])
      await world.recorded(
        { subject, decision, purpose: 'marketing', metadata: { note: `said by ${subject}` } },
        { key: 'sk' },
      );
  }
  for (let n = 0; n < 40; n++) await world.recorded();
  await world.caughtUp();
});
afterAll(async () => {
  await database?.end();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('assent projections rebuild', () => {
  it('proves that the new rows equal the old ones, while writes go on and no read fails or goes back', async () => {
    const subject = world.visitor();
    await world.recorded({ subject });
    let running = true;
    const failed: unknown[] = [];
    let reads = 0;
    const reader = (async () => {
      for (let seen = -1; running; reads++) {
        const { status, body } = await world.request('GET', pathOf(subject), { key: 'pk' });
        if (status !== 200 || body.revision < seen) failed.push({ status, body, seen });
        seen = body.revision;
      }
    })();
    const writer = (async () => {
      for (let n = 0; running; n++) {
        const { headers } = await world.recorded({ subject, decision: n % 2 === 0 ? 'DENIED' : 'GRANTED' });
        const { status, body } = await world.request('GET', pathOf(subject), {
          key: 'pk',
          headers: { 'X-Log-Position': headers['x-log-position'] as string },
        });
        if (status !== 200 || body.purposes.analytics.state !== (n % 2 === 0 ? 'WITHDRAWN' : 'GRANTED'))
          failed.push({ n, status, body });
      }
    })();
    for (let n = 1; n <= 2; n++) {
      const rebuilt = await json(['projections', 'rebuild', 'consent_state', '--verify', '--operator', 'ada']);
      expect(rebuilt).toMatchObject({ switched: true, generation: { rebuild: n }, parity: { equal: true, keys: [] } });
      expect(rebuilt.parity.new.rows).toBeGreaterThanOrEqual(43);
      expect(rebuilt.parity.new).toEqual(rebuilt.parity.old);
    }
    await pause(200);
    running = false;
    await Promise.all([reader, writer]);
    expect(failed).toEqual([]);
    expect(reads).toBeGreaterThan(20);

    await world.caughtUp();
    // A checkpoint follows what was read within a second.
    let data: { lagSeconds: number }[] = [];
    await until(async () =>
      ({ data } = await json(['projections', 'status'])).data.every(
        ({ lagSeconds }: { lagSeconds: number }) => lagSeconds === 0,
      ),
    );
    const served = { live: true, state: 'running', lagSeconds: 0, poison: null };
    expect(data).toMatchObject([
      { name: 'consent_state', rebuild: 2, ...served },
      { name: 'consent_decisions', rebuild: 0, ...served },
      { name: 'preference_state', rebuild: 0, ...served },
      { name: 'catalogue_state', rebuild: 0, ...served },
      { name: 'catalogue_drafts', rebuild: 0, ...served },
      { name: 'data_requests', rebuild: 0, ...served },
      { name: 'side_events', rebuild: 0, ...served },
      { name: 'receipts', rebuild: 0, ...served },
      { name: 'site_state', rebuild: 0, ...served },
      { name: 'site_keys', rebuild: 0, ...served },
      { name: 'journal', rebuild: 0, ...served },
      { name: 'ledger', rebuild: 0, ...served },
      { name: 'webhooks', rebuild: 0, ...served },
    ]);
    expect(await operations()).toContainEqual({
      type: 'ProjectionRebuilt',
      data: expect.objectContaining({
        by: expect.objectContaining({ user: 'ada' }),
        projection: 'consent_state',
        rebuild: 1,
        parity: 'EQUAL',
      }),
    });
  });

  it('fails loudly where the rows differ, names their keys and keeps the old ones; without --verify it replaces them', async () => {
    const { body } = await world.recorded();
    await world.caughtUp();
    await sql(
      `update read.consent_state set state = jsonb_set(state, '{purposes,analytics,state}', '"DENIED"') where subject_id = $1`,
      [body.subject.id],
    );
    const { code, out, err } = await assent(['projections', 'rebuild', 'consent_state', '--verify']);
    expect(code).toBe(1);
    expect(err).toContain('rows_differ');
    expect(out).toContain(body.subject.id);
    expect((await json(['projections', 'status'])).data).toHaveLength(13);

    expect(await json(['projections', 'rebuild', 'consent_state'])).toMatchObject({ switched: true, parity: null });
    const [row] = await sql<{ state: { purposes: { analytics: { state: string } } } }>(
      'select state from read.consent_state where subject_id = $1',
      [body.subject.id],
    );
    expect(row!.state.purposes.analytics.state).toBe('GRANTED');
  });

  it('says which read models there are', async () => {
    const { code, err } = await assent(['projections', 'rebuild', 'nothing']);
    expect(code).toBe(1);
    expect(err).toContain(
      'There are: consent_state, consent_decisions, preference_state, catalogue_state, catalogue_drafts, data_requests, side_events, receipts, site_state, site_keys, journal.',
    );
  });
});

describe('assent audit export', () => {
  const lines = ({
    out,
  }: Outcome): { type: string; revision: number; position: string; stream: string; data: Record<string, unknown> }[] =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  it('holds every record of a subject, in order and in clear, and nothing of others', async () => {
    const exported = await assent(['audit', 'export', '--subject', ADA]);
    expect(exported.code).toBe(0);
    const events = lines(exported);
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['SubjectCreated', 0],
      ['IdentifierAdded', 1],
      ['ConsentRecorded', 2],
      ['ConsentRecorded', 3],
    ]);
    expect(events.map(({ position }) => BigInt(position))).toEqual(
      events.map(({ position }) => BigInt(position)).sort((a, b) => (a < b ? -1 : 1)),
    );
    expect(events[1]!.data).toMatchObject({ kind: 'email', value: 'ada.lovelace@example.org' });
    expect(events[3]).toMatchObject({
      schemaVersion: 1,
      actor: expect.stringMatching(/^key_/),
      requestId: expect.stringMatching(/^req_/),
      data: { decision: 'DENIED', metadata: { note: `said by ${ADA}` } },
    });
    expect(exported.out).not.toMatch(/grace|hopper/);
    const { body } = await world.request('GET', pathOf(ADA, '/history'));
    expect(body.data.map(({ eventId }: { eventId: string }) => eventId).reverse()).toEqual(
      events.slice(2).map((event) => (event as unknown as { id: string }).id),
    );
    expect((await operations()).at(-1)).toMatchObject({
      type: 'AuditExported',
      data: { subjectId: body.data[0].subject?.id ?? expect.any(String), since: null },
    });
  });

  it('of everything keeps personal fields sealed, and gives the same bytes for the same log', async () => {
    const since = ['audit', 'export', '--since', '2020-01-01T00:00:00Z'];
    const first = await assent(since);
    const again = await assent(since);
    expect(first.code).toBe(0);
    expect(again.out).toBe(first.out);
    expect(first.out).not.toMatch(/lovelace|hopper|said by/);
    expect(first.out).toContain('"$sealed"');
    expect(first.out).not.toMatch(/"secretHash":"/);
    const positions = lines(first).map(({ position }) => position);
    expect(positions).toEqual(
      (await sql<{ position: string }>('select position from log.events order by position'))
        .map(({ position }) => position)
        .slice(0, positions.length),
    );

    const { through } = await json([
      ...since,
      '--with-personal-data',
      '--site',
      'demo',
      '--out',
      join(folder, 'clear.jsonl'),
    ]);
    const clear = readFileSync(join(folder, 'clear.jsonl'), 'utf8');
    expect(clear).toMatch(/lovelace[^]*hopper/);
    expect(statSync(join(folder, 'clear.jsonl')).mode & 0o777).toBe(0o600);
    await world.recorded();
    await json([
      ...since,
      '--with-personal-data',
      '--site',
      'demo',
      '--through',
      through,
      '--out',
      join(folder, 'again.jsonl'),
    ]);
    expect(readFileSync(join(folder, 'again.jsonl'), 'utf8')).toBe(clear);
    expect((await assent([...since, '--out', join(folder, 'clear.jsonl')])).code).toBe(2);
  });

  it('reads what was forgotten as null', async () => {
    const { body } = await world.recorded(
      { subject: 'email:alan@example.org', metadata: { note: 'Alan' } },
      { key: 'sk' },
    );
    await sql('delete from vault.subject_keys where subject_id = $1', [body.subject.id]);
    await sql('delete from vault.identifiers where subject_id = $1', [body.subject.id]);
    const events = lines(await assent(['audit', 'export', '--subject', `subject:${body.subject.id}`]));
    expect(events).toMatchObject([
      { type: 'SubjectCreated' },
      { data: { value: null } },
      { data: { decision: 'GRANTED', metadata: null } },
    ]);
  });

  it('holds what a subject asked for, in the words of who asked, after what was recorded of it', async () => {
    const subject = 'user_id:asks-for-herself';
    await world.recorded({ subject }, { key: 'sk' });
    const asked = await world.request('POST', '/v1/data-requests', {
      body: { subject, type: 'ACCESS', details: 'All since 2024.' },
    });
    const other = await world.request('POST', '/v1/data-requests', {
      body: { subject: 'user_id:asks-too', type: 'ACCESS' },
    });
    expect([asked.status, other.status]).toEqual([201, 201]);
    const exported = await assent(['audit', 'export', '--subject', subject]);
    const events = lines(exported);
    expect(events.map(({ type }) => type)).toEqual([
      'SubjectCreated',
      'IdentifierAdded',
      'ConsentRecorded',
      'DataRequestReceived',
    ]);
    expect(events[3]).toMatchObject({ subjectId: asked.body.subject.id, data: { details: 'All since 2024.' } });
    expect(exported.out).not.toContain(other.body.id as string);
  });

  it('writes tables that no spreadsheet calculates with', async () => {
    const { out } = await assent(['audit', 'export', '--subject', ADA, '--format', 'csv']);
    expect(out).toMatch(
      /^position,stream,revision,id,type,schemaVersion,recordedAt,actor,requestId,site,env,subjectId,data\r\n\d+,subject-demo\.test\./,
    );
    expect(out).not.toMatch(/(^|,)"?[=+@\t-]/m);
  });

  it('says so where it is asked wrongly, or for nobody', async () => {
    for (const args of [
      [],
      ['--subject', ADA, '--since', '2020-01-01T00:00:00Z'],
      ['--since', 'yesterday'],
      ['--subject', ADA, '--format', 'xml'],
      ['--subject', ADA, '--env', 'prod'],
      ['--subject', ADA, '--json'],
    ]) {
      expect({ args, code: (await assent(['audit', 'export', ...args])).code }).toEqual({ args, code: 2 });
    }
    const { code, err } = await assent([
      'audit',
      'export',
      '--subject',
      'email:nobody@example.org',
      '--out',
      join(folder, 'nobody.jsonl'),
    ]);
    expect(code).toBe(1);
    expect(err).toContain('subject_not_found');
    expect(existsSync(join(folder, 'nobody.jsonl')) || existsSync(join(folder, 'nobody.jsonl.part'))).toBe(false);
  });
});

describe('assent subjects show', () => {
  it('shows who it is, what holds and what happened, masked, and puts on record who looked', async () => {
    const { code, out } = await assent(['subjects', 'show', ADA, '--operator', 'grace']);
    expect(code).toBe(0);
    expect(out).not.toContain('ada.lovelace');
    expect(out).toMatch(/^email +a…@e…\.org +(yes|no) /m);
    expect(out).toMatch(/^marketing +WITHDRAWN +1 /m);
    // Newest first.
    const decisions = out.split('\n').filter((line) => line.includes('ConsentRecorded'));
    expect(decisions.map((line) => /GRANTED|DENIED/.exec(line)![0])).toEqual(['DENIED', 'GRANTED']);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    const looked = (await operations()).at(-1)!;
    expect(looked).toMatchObject({
      type: 'SubjectShown',
      data: { by: { user: 'grace' }, site: 'demo', env: 'test', identifiers: 'MASKED' },
    });
    expect(JSON.stringify(looked)).not.toContain('ada');
  });

  it('shows identifiers in clear only where it is asked to, which is on record too', async () => {
    const shown = await json(['subjects', 'show', ADA, '--identifiers', 'clear', '--events', '1']);
    expect(shown).toMatchObject({
      site: 'demo',
      env: 'test',
      family: [],
      identifiers: [{ kind: 'email', value: 'ada.lovelace@example.org' }],
      consents: [{ purpose: 'marketing', state: 'WITHDRAWN' }],
      timeline: [{ type: 'ConsentRecorded', what: expect.stringMatching(/^marketing DENIED/), subject: shown.id }],
    });
    expect(shown.events).toBeGreaterThan(1);
    expect((await operations()).at(-1)).toMatchObject({ data: { identifiers: 'CLEAR', subjectId: shown.id } });
  });

  it('shows who was merged as one, and after an erasure what is left, by the id', async () => {
    const [kept, merged] = ['user_id:show-kept', 'user_id:show-merged'];
    const of = (subject: string) =>
      world.recorded({ subject, purpose: 'marketing', decision: 'GRANTED' }, { key: 'sk' });
    await of(kept);
    await of(merged);
    await world.request('POST', '/v1/subjects/merge', { key: 'sk', body: { target: kept, sources: [merged] } });
    const together = await json(['subjects', 'show', merged, '--identifiers', 'clear']);
    expect(together.family).toHaveLength(1);
    expect(together.identifiers.map(({ value }: { value: string }) => value).sort()).toEqual([
      'show-kept',
      'show-merged',
    ]);
    expect(together.timeline.map(({ type }: { type: string }) => type)).toContain('SubjectsMerged');

    const receipt = await world.request('POST', `/v1/subjects/${encodeURIComponent(kept)}/erase`, {
      key: 'sk',
      body: {},
    });
    expect(receipt.status).toBe(200);
    expect((await assent(['subjects', 'show', kept])).code).toBe(1);
    const erased = await json(['subjects', 'show', together.id, '--identifiers', 'clear']);
    expect(erased).toMatchObject({ id: together.id, consents: [] });
    expect(erased.timeline.map(({ type }: { type: string }) => type)).toContain('SubjectErased');
    expect(JSON.stringify(erased)).not.toMatch(/show-(kept|merged)/);
  });

  it('says so where there is nobody of that name, without repeating it', async () => {
    const { code, err } = await assent(['subjects', 'show', 'email:nobody.at.all@example.org']);
    expect(code).toBe(1);
    expect(err).toContain('subject_not_found');
    expect(err).not.toContain('nobody.at.all');
  });
});

describe('assent audit verify', () => {
  it('passes, also while writes go on, and fails where a row was changed, removed or added by hand', async () => {
    let writing = true;
    const writer = (async () => {
      while (writing) await world.recorded();
    })();
    const verified = await json(['audit', 'verify']);
    writing = false;
    await writer;
    expect(verified).toMatchObject({ differences: 0, first: [] });
    expect(verified.subjects).toBeGreaterThanOrEqual(44);
    expect(verified.rows).toBeGreaterThanOrEqual(44);

    const [changed, removed] = [
      (await world.recorded()).body.subject.id as string,
      (await world.recorded()).body.subject.id as string,
    ];
    await world.caughtUp();
    await sql(`update read.consent_state set revision = revision + 1 where subject_id = $1`, [changed]);
    await sql(`with gone as (delete from read.consent_state where subject_id = $1 returning *) select 1`, [removed]);
    await sql(
      `insert into read.consent_state (subject_id, site, env, revision, state, next_expiry, recorded_through)
       select 'sub_00000000000000000000000000', site, env, revision, state, next_expiry, recorded_through from read.consent_state limit 1`,
    );
    const { body: decision } = await world.recorded();
    await world.caughtUp();
    await until(
      async () => (await sql(`select from read.consent_decisions where record_id = $1`, [decision.id])).length === 1,
    );
    await sql(`update read.consent_decisions set decision = 'DENIED' where record_id = $1`, [decision.id]);
    await sql(`update read.site_state set keys = '[]' where site = 'demo'`);
    await sql(`update read.catalogue_state set revision = revision + 1 where scope = 'demo.test'`);
    const { code, out } = await assent(['audit', 'verify', '--json']);
    expect(code).toBe(1);
    const { differences, first } = JSON.parse(out) as {
      differences: number;
      first: { kind: string; where: string; detail: string }[];
    };
    expect(differences).toBe(6);
    expect(first).toEqual(
      expect.arrayContaining([
        { kind: 'row differs', where: `consent_state ${changed}`, detail: 'not the fold of its stream: revision' },
        { kind: 'row missing', where: `consent_state ${removed}`, detail: expect.any(String) },
        {
          kind: 'row without events',
          where: 'consent_state sub_00000000000000000000000000',
          detail: expect.any(String),
        },
        {
          kind: 'row differs',
          where: `consent_decisions ${decision.id}`,
          detail: 'not the fold of its stream: decision',
        },
        { kind: 'row differs', where: 'site_state demo', detail: 'not the fold of its stream: keys' },
        { kind: 'row differs', where: 'catalogue_state demo.test', detail: 'not the fold of its stream: revision' },
      ]),
    );
    expect((await assent(['audit', 'verify', '--subject', `subject:${changed}`])).code).toBe(1);
    expect(await json(['audit', 'verify', '--subject', ADA])).toMatchObject({
      subjects: 1,
      events: 4,
      rows: 4,
      differences: 0,
    });

    for (const name of ['consent_state', 'consent_decisions', 'site_state', 'catalogue_state'])
      expect((await assent(['projections', 'rebuild', name])).code).toBe(0);
    expect(await json(['audit', 'verify'])).toMatchObject({ differences: 0 });
  });
});

describe('over HTTP', () => {
  it('says what the doctor says of the engines, and when they were last backed up and verified', async () => {
    const look = async () => (await world.request('GET', '/admin/v1/health', { key: 'operator' })).body;
    await world.caughtUp();
    const before = await look();
    expect(before).toMatchObject({ status: expect.stringMatching(/^(ok|warn)$/), skipped: [], ledgerVerified: null });
    const findings = (JSON.parse((await assent(['doctor', '--json'])).out) as { findings: { check: string }[] })
      .findings;
    const ofEngines = ['database', 'clocks', 'ledger', 'vendor list', 'projection consent_state'];
    for (const check of ofEngines) expect(findings.map((each) => each.check)).toContain(check);
    expect(before.findings.map((each: { check: string }) => each.check)).toEqual(expect.arrayContaining(ofEngines));
    for (const { name, position, head, lagSeconds } of before.projections)
      if (name !== 'webhooks') expect([name, position === head || lagSeconds === 0]).toEqual([name, true]);
    const { leaves, breaks } = await json(['ledger', 'verify']);
    await json(['backup', join(folder, 'for-health')]);
    const after = await until(async () => {
      const seen = await look();
      return seen.lastBackup === null ? undefined : seen;
    });
    expect(after).toMatchObject({
      lastBackup: { at: expect.any(String), tables: expect.any(Number), rows: expect.any(Number) },
      ledgerVerified: { at: expect.any(String), leaves, breaks: breaks.length },
    });
    expect(after.lastBackup.rows).toBeGreaterThan(40);
    // The second look tells how fast they went since the first.
    expect(after.projections[0].rate).toEqual(expect.any(Number));
    expect((await world.request('GET', '/admin/v1/health', { key: 'sk' })).status).toBe(401);
  });
});

describe('an event that a release does not know', () => {
  it('stops the read models, which status and readiness say; only naming its place leaves it out, on record', async () => {
    const { body } = await world.recorded();
    const [{ stream, revision }] = (await sql<{ stream: string; revision: string }>(
      'select stream, max(revision) as revision from log.events where stream like $1 group by stream',
      [`%${body.subject.id}`],
    )) as [{ stream: string; revision: string }];
    const metadata = JSON.stringify({ schemaVersion: 1, actor: 'system:test', recordedAt: '2026-11-21T12:00:00.000Z' });
    const [{ at_position: position }] = (await sql<{ at_position: string }>(
      `select at_position from log.append(array[$1], array[$2::bigint], array[1], array[gen_random_uuid()], array['Unheard'], array['{}'], array[$3], 1000)`,
      [stream, revision, metadata],
    )) as [{ at_position: string }];

    const stopped = async (): Promise<string[]> =>
      (JSON.parse((await assent(['projections', 'status', '--json'])).out).data as { name: string; state: string }[])
        .filter(({ state }) => state === 'awaiting')
        .map(({ name }) => name);
    await until(async () => (await stopped()).length === 6);
    expect((await world.request('GET', '/readyz', { key: null })).status).toBe(503);
    const record = { subject: `subject:${body.subject.id}`, purpose: 'analytics', decision: 'GRANTED' };
    const write = () => world.request('POST', '/v1/consent', { key: 'sk', body: record });
    expect(await write()).toMatchObject({
      status: 503,
      body: { code: 'dependency_unavailable', hint: expect.stringContaining('newer release') },
    });
    const status = await assent(['projections', 'status', '--json']);
    expect(status.code).toBe(1);
    const poison = { position, type: 'Unheard', stream, error: expect.stringMatching(/^UnreadableEvent: Unheard/) };
    expect(JSON.parse(status.out).data).toMatchObject([
      ...['consent_state', 'consent_decisions', 'preference_state'].map((name) => ({
        name,
        state: 'awaiting',
        poison,
      })),
      // Of other streams: such an event is none of theirs.
      ...['catalogue_state', 'catalogue_drafts', 'data_requests', 'side_events'].map((name) => ({
        name,
        state: 'running',
        poison: null,
      })),
      { name: 'receipts', state: 'awaiting', poison },
      // The ledger takes events as they are stored, whatever they mean.
      ...['site_state', 'site_keys'].map((name) => ({ name, state: 'running', poison: null })),
      { name: 'journal', state: 'awaiting', poison },
      { name: 'ledger', state: 'running', poison: null },
      { name: 'webhooks', state: 'awaiting', poison },
    ]);
    expect((await assent(['doctor'])).out).toMatch(
      new RegExp(`projection consent_state +fail +stopped by Unheard at ${position}`),
    );
    // An answer is kept for ten seconds.
    const health = await until(async () => {
      const { body: seen } = await world.request('GET', '/admin/v1/health', { key: 'operator' });
      return seen.status === 'fail' ? seen : undefined;
    });
    expect(health).toMatchObject({
      findings: expect.arrayContaining([
        {
          check: 'projection consent_state',
          verdict: 'fail',
          found: expect.stringContaining(`stopped by Unheard at ${position}`),
          fix: expect.stringContaining('assent projections resume consent_state'),
        },
      ]),
      projections: expect.arrayContaining([
        expect.objectContaining({
          name: 'consent_state',
          state: 'awaiting',
          poison: { position, type: 'Unheard', error: poison.error },
        }),
      ]),
    });
    expect((await assent(['audit', 'verify'])).err).toContain('projection_stopped');

    expect((await assent(['projections', 'skip', 'consent_state', String(BigInt(position) - 1n)])).err).toContain(
      `stands at position ${position}`,
    );
    expect((await assent(['projections', 'skip', 'consent_state', 'all'])).code).toBe(2);
    expect((await assent(['projections', 'resume', 'consent_state'])).code).toBe(0);
    await until(async () => (await json(['projections', 'status'])).data[0].state === 'awaiting');
    // Of an event that cannot be read no history can be shown, and no state.
    for (const path of ['/history', '?fresh=true', '?asOf=2099-01-01T00:00:00Z'])
      expect(await world.request('GET', pathOf(`subject:${body.subject.id}`, path), { key: 'sk' })).toMatchObject({
        status: 503,
        body: { code: 'dependency_unavailable' },
      });
    // What stops one read model because nobody can read it is left out of all.
    expect(await json(['projections', 'skip', 'preference_state', position, '--operator', 'grace'])).toMatchObject({
      skipped: { position, type: 'Unheard', everywhere: true },
    });

    await until(async () => (await world.request('GET', '/readyz', { key: null })).status === 200);
    // Folds leave it out as well, as soon as the process has heard of it.
    await until(async () => (await write()).status === 201);
    const { body: history } = await world.request('GET', pathOf(`subject:${body.subject.id}`, '/history'), {
      key: 'sk',
    });
    const at = Number(revision);
    expect(history.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([at + 2, at]);
    await world.caughtUp((await world.recorded()).headers['x-log-position'] as string);
    expect((await operations()).slice(-2)).toMatchObject([
      { type: 'ProjectionResumed' },
      {
        type: 'ProjectionSkipped',
        data: {
          by: { user: 'grace' },
          projection: 'preference_state',
          position,
          eventType: 'Unheard',
          everywhere: true,
        },
      },
    ]);
    expect((await assent(['projections', 'skip', 'consent_state', position])).err).toContain('projection_not_stopped');
    // The log says for ever that it is there.
    expect(await json(['audit', 'verify'])).toMatchObject({
      differences: 0,
      first: [],
      skipped: [`${stream} revision ${Number(revision) + 1}, Unheard`],
    });
  });
});

describe('an event that one read model cannot take in', () => {
  it('is left out of that one alone, until an operator says that the event itself must not count', async () => {
    const { body } = await world.recorded();
    const ref = `subject:${body.subject.id}`;
    // The log may hold an escaped NUL, rows may not: the event is readable, and the row of it cannot be written.
    const [{ stream, revision, data }] = (await sql<{ stream: string; revision: string; data: string }>(
      `select stream, revision, data from log.events where stream like $1 and type = 'ConsentRecorded'`,
      [`%${body.subject.id}`],
    )) as [{ stream: string; revision: string; data: string }];
    const denied = JSON.stringify({ ...(JSON.parse(data) as object), decision: 'DENIED', recordId: 'rec_\u0000' });
    const metadata = JSON.stringify({ schemaVersion: 1, actor: 'system:test', recordedAt: '2026-11-21T12:00:00.000Z' });
    const [{ at_position: position }] = (await sql<{ at_position: string }>(
      `select at_position from log.append(array[$1], array[$2::bigint], array[1], array[gen_random_uuid()], array['ConsentRecorded'], array[$3], array[$4], 1000)`,
      [stream, revision, denied, metadata],
    )) as [{ at_position: string }];
    const state = async (query = ''): Promise<string> =>
      (await world.request('GET', pathOf(ref, query), { key: 'sk' })).body.purposes.analytics.state as string;
    const stopped = async (): Promise<string[]> =>
      (JSON.parse((await assent(['projections', 'status', '--json'])).out).data as { name: string; state: string }[])
        .filter(({ state: each }) => each === 'stopped')
        .map(({ name }) => name);

    await until(async () => (await stopped()).length === 2);
    // The rows of decisions cannot hold it either.
    for (const name of ['consent_decisions', 'consent_state'])
      expect((await json(['projections', 'skip', name, position])).skipped).toMatchObject({
        position,
        everywhere: false,
      });
    await until(async () => (await world.request('GET', '/readyz', { key: null })).status === 200);
    expect(await json(['audit', 'verify'])).toMatchObject({ differences: 0, skipped: { length: 2 } });
    const history = async (): Promise<number> =>
      (await world.request('GET', pathOf(ref, '/history'), { key: 'sk' })).body.data.length as number;
    // Folds, and so decisions and histories, still hold it.
    expect([await state('?fresh=true'), await history()]).toEqual(['WITHDRAWN', 2]);

    expect((await json(['projections', 'skip', 'consent_state', position, '--everywhere'])).skipped).toMatchObject({
      position,
      error: null,
      everywhere: true,
    });
    await until(async () => (await state('?fresh=true')) === 'GRANTED');
    expect([await state(), await history()]).toEqual(['GRANTED', 1]);
    expect((await assent(['projections', 'skip', 'consent_state', position, '--everywhere'])).err).toContain(
      'projection_not_stopped',
    );
    expect((await json(['projections', 'rebuild', 'consent_state', '--verify'])).switched).toBe(true);
    expect(await json(['audit', 'verify'])).toMatchObject({ differences: 0, skipped: { length: 2 } });
  });
});

describe('assent doctor', () => {
  it('finds a healthy world healthy', async () => {
    const { summary, findings } = await json(['doctor']);
    expect(findings.filter(({ verdict }: { verdict: string }) => verdict === 'fail')).toEqual([]);
    expect(summary.ok).toBeGreaterThanOrEqual(9);
    expect((await assent(['doctor'])).code).toBe(0);
  });

  it('says with --live what a trial leaves open, and what cannot be looked at', async () => {
    const { code, out } = await assent(['doctor', '--live', '--json']);
    const findings = (JSON.parse(out) as { findings: { check: string; verdict: string }[] }).findings.filter(
      ({ check }) => check.startsWith('live: '),
    );
    const verdictOf = Object.fromEntries(findings.map(({ check, verdict }) => [check.slice(6), verdict]));
    expect([code, verdictOf]).toEqual([
      1,
      expect.objectContaining({ address: 'fail', mail: 'fail', 'first token': 'warn', ledger: expect.any(String) }),
    ]);
    expect((await assent(['doctor', '--live'])).out).toContain('Not looked at:\n  alerts');
  });

  it('finds another master key, rights that are too wide, engines that do not answer and settings that cannot be used', async () => {
    const verdicts = async (env: Record<string, string>): Promise<{ code: number | null; failed: string[] }> => {
      const { code, out } = await assent(['doctor', '--json'], env);
      return {
        code,
        failed: (JSON.parse(out) as { findings: { check: string; verdict: string }[] }).findings
          .filter(({ verdict }) => verdict === 'fail')
          .map(({ check }) => check),
      };
    };
    expect(await verdicts({ ASSENT_MASTER_KEY: 'k3Jp9VYt0wq7mA5sXc2ZdE8fGhIuLnO4rQbT6yHvN1M=' })).toEqual({
      code: 1,
      failed: ['master key'],
    });
    expect(await verdicts({ REDIS_URL: 'redis://127.0.0.1:1', SMTP_URL: 'smtp://127.0.0.1:1' })).toEqual({
      code: 1,
      failed: ['Redis', 'SMTP'],
    });
    expect(await verdicts({ DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:1/none' })).toEqual({
      code: 1,
      failed: ['database'],
    });
    expect(await verdicts({ ESDB_URL: 'esdb://127.0.0.1:1?tls=false', ASSENT_LOG_PREFIX: 'shop' })).toEqual({
      code: 1,
      failed: ['log'],
    });
    expect(await verdicts({ PORT: 'http' })).toEqual({ code: 1, failed: ['settings'] });
    // TLS without a certificate authority.
    expect(await verdicts({ ESDB_URL: 'esdb://user:password@127.0.0.1:2113' })).toEqual({
      code: 1,
      failed: ['settings'],
    });
    chmodSync(join(world.dataFolder, 'master.key'), 0o644);
    expect(await verdicts({})).toEqual({ code: 1, failed: ['master.key'] });
    chmodSync(join(world.dataFolder, 'master.key'), 0o600);
  });

  it('is not the only command that refuses a prefix of other streams', async () => {
    const { code, err } = await assent(['audit', 'export', '--subject', ADA], {
      ESDB_URL: 'esdb://127.0.0.1:1?tls=false',
      ASSENT_LOG_PREFIX: 'shop',
    });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('This database belongs to streams without a prefix: remove ASSENT_LOG_PREFIX'),
    });
  });

  it('is not the only command that refuses another master key', async () => {
    const { code, err } = await assent(['audit', 'export', '--subject', ADA], {
      ASSENT_MASTER_KEY: 'k3Jp9VYt0wq7mA5sXc2ZdE8fGhIuLnO4rQbT6yHvN1M=',
    });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('The master key is not the one this database was made with.'),
    });
  });
});

describe('an installation of several processes', () => {
  it('is migrated and given a demo site by commands, once and again', async () => {
    const name = `operator_${process.pid}_${Date.now()}`;
    await sql(`create database ${name}`);
    const url = new URL(world.databaseUrl!);
    url.pathname = `/${name}`;
    const env = {
      DATABASE_URL: url.href,
      ASSENT_MASTER_KEY: 'k3Jp9VYt0wq7mA5sXc2ZdE8fGhIuLnO4rQbT6yHvN1M=',
      ASSENT_DATA: join(folder, 'several'),
    };
    try {
      expect((await assent(['projections', 'status'], env)).err).toContain('Run "assent migrate"');
      const { migrations } = await json(['migrate', '--dry-run'], env);
      expect(await json(['migrate'], env, spawnAssent)).toEqual({ dryRun: false, migrations });
      expect(migrations.length).toBeGreaterThanOrEqual(4);
      expect(await json(['migrate'], env)).toMatchObject({ migrations: [] });
      const demo = await json(['demo'], env, spawnAssent);
      expect(demo).toMatchObject({
        site: 'demo',
        publicKey: expect.stringMatching(/^pk_test_/),
        secretKey: expect.stringMatching(/^sk_test_/),
      });
      expect(JSON.parse(readFileSync(join(folder, 'several', 'demo.json'), 'utf8'))).toEqual(demo);
      expect(statSync(join(folder, 'several', 'demo.json')).mode & 0o777).toBe(0o600);
      expect(await json(['demo'], env)).toEqual(demo);
    } finally {
      await sql(`drop database ${name} with (force)`);
    }
  });

  it('needs no DATABASE_URL beside a service that runs on its own database', async () => {
    const bundled = await startWorld({ breakable: true, bundled: true });
    try {
      // It answers before it says so: somebody whom the demo's portal is shown to is made in between.
      await bundled.outputWith((output) => output.includes('Assent is running at'));
      await bundled.recorded();
      await bundled.caughtUp();
      const env = { DATABASE_URL: '', ASSENT_DATA: bundled.dataFolder };
      expect(await json(['audit', 'verify'], env)).toMatchObject({ subjects: 2, rows: 8, differences: 0 });
      expect((await assent(['doctor'], env)).code).toBe(0);
    } finally {
      await bundled.stop();
    }
    const { code, err } = await assent(['projections', 'status'], { DATABASE_URL: '', ASSENT_DATA: folder });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`No database: Assent does not run on ${folder}`),
    });
  });
});
