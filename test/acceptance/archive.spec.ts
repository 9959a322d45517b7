import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { filesOf, unpacked, verdictOn } from '../support/audit-bundle.js';
import { commanded } from '../support/command-line.js';
import { mailsTo, tokenIn, until } from '../support/double-opt-in.js';
import { newEmail, newKey, subjectPath, subjectsIn } from '../support/subjects.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/* What is told of a person to whom everything has happened that can happen. */

let world: World;
let folder: string;
const { create, decide, merge, revert, post } = subjectsIn(() => world);
/** References; each is known by one of them. */
const account = `user_id:${newKey()}`;
const address = `email:${newEmail()}`;

const REQUESTS = '/v1/data-requests';
async function step(path: string, body: object = {}): Promise<Answer> {
  const answer = await post(path, body);
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  return answer;
}

/** A request that went all its way, as it stands at its end. */
async function completed(subject: string, type: string, more: object = {}): Promise<Answer> {
  const { body } = await step(REQUESTS, { subject, type, jurisdiction: { country: 'DE' } });
  await step(`${REQUESTS}/${body.id}/verify`);
  await step(`${REQUESTS}/${body.id}/start`);
  return step(`${REQUESTS}/${body.id}/complete`, more);
}

interface Archive {
  subject: { id: string; merged: string[] };
  history: { type: string; subject: string; data: Record<string, unknown> | null }[];
}

/** The archive behind a request, which holds to its own schema. */
async function archiveOf(request: Answer): Promise<{ data: Archive; page: string }> {
  const { body } = await step(`${REQUESTS}/${request.body.id}/archive-link`);
  const answer = await fetch(`${world.url}/v1/archive`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: new URL(body.url as string).searchParams.get('token') }),
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = filesOf(Buffer.from(await answer.arrayBuffer()));
  const data = JSON.parse(files.get('your-data.json')!.toString()) as Archive;
  const check = addFormats
    .default(new Ajv2020({ strict: false }))
    .compile(JSON.parse(files.get('schema.json')!.toString()));
  expect([check(data), check.errors]).toEqual([true, null]);
  return { data, page: files.get('your-data.html')!.toString() };
}

/** What no archive can hold in a test of minutes: of who is erased there is none, the others take time. */
const NOT_HERE = ['SubjectErased', 'ConsentExpired', 'PreferenceConfirmationExpired'];

/** Everything else that can happen to a person; answers by what they are known. */
async function everythingHappened(): Promise<string> {
  const [email, visitor] = [newEmail(), world.visitor()];
  const subject = `email:${email}`;
  await create([{ kind: 'email', value: email }], { locale: 'de', country: 'DE' });
  await step(subjectPath(subject, '/identifiers'), { kind: 'phone', value: '+4930901820' });
  await decide(subject, { analytics: 'GRANTED' });
  await step('/v1/preferences', {
    subject,
    values: [{ field: 'channels.email.topics.product_updates', value: false }],
  });
  const values = [{ field: 'channels.email.topics.news', value: true }];
  await step('/v1/preferences/confirmation-token', {
    subject,
    values,
    to: email,
    redirectUrl: 'http://localhost:3000/',
  });
  const mail = await until(async () => (await mailsTo(world, email))[0]);
  const confirm = { key: null, body: { token: tokenIn(mail.text, 'cft') } } as const;
  expect((await world.request('POST', '/v1/preferences/confirm', confirm)).status).toBe(200);
  await until(async () => {
    const { body } = await world.request('GET', subjectPath(subject, '/preferences/history'));
    return (body.data as { object: string }[]).find(({ object }) => object === 'preference_confirmation_mail');
  });
  await step(subjectPath(subject, '/restrict'), { reason: 'litigation' });
  await step(subjectPath(subject, '/lift-restriction'));
  await completed(subject, 'RECTIFICATION', {
    corrections: [
      { kind: 'phone', value: null, replaces: '+4930901820' },
      { kind: 'country', value: 'AT' },
    ],
  });
  await decide(visitor, { marketing: 'GRANTED' });
  expect((await revert((await merge([visitor], subject)).body.mergeId as string)).status).toBe(200);
  return subject;
}

beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-archive-'));
  const [kind, value] = account.split(':');
  await create([{ kind, value }], { locale: 'de', country: 'DE' });
  await decide(address, { analytics: 'GRANTED', marketing: 'DENIED' });
  const merged = await merge([address], account);
  expect(merged.status).toBe(200);
  expect((await revert(merged.body.mergeId as string)).status).toBe(200);
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('after a merge that was taken back', () => {
  it.each([
    ['ACCESS', 'account', account],
    ['PORTABILITY', 'account', account],
    ['ACCESS', 'address', address],
    ['PORTABILITY', 'address', address],
  ])('%s for the one known by the %s is completed, and the archive reads right', async (type, _, subject) => {
    const request = await completed(subject, type);
    expect(request.body.state).toBe('COMPLETED');
    const { data, page } = await archiveOf(request);
    expect(data.subject).toEqual({ id: request.body.subject.id, merged: [] });
    expect(new Set(data.history.map((event) => event.subject))).toEqual(new Set([data.subject.id]));
    const types = data.history.map((event) => event.type);
    expect(types).toEqual(expect.arrayContaining(['SubjectsMerged', 'SubjectMergeReverted']));
    // Of the other one, nothing: not even an id.
    for (const { type: happened, data: told } of data.history)
      if (/Merge/.test(happened))
        expect(told).toEqual({ mergeId: expect.any(String), subjects: [data.subject.id], at: expect.any(String) });
    for (const text of [JSON.stringify(data), page]) expect(text).not.toMatch(/undefined|\[object|into null/);
    expect(page).toContain('<html lang="');
    expect(page).not.toContain('<code>');
  });

  it('an auditor’s bundle, an export and the timeline of both name who was merged into whom, and who came out again', async () => {
    const env = { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! };
    const [kept, released] = await Promise.all(
      [account, address].map(async (ref) => (await world.request('GET', subjectPath(ref))).body.id as string),
    );
    const at = ['--site', world.demo.site];
    for (const id of [kept, released]) {
      const file = join(folder, `${id}.zip`);
      await commanded(['audit', 'bundle', '--subject', `subject:${id}`, ...at, '--out', file], env);
      expect((await verdictOn(file)).verdict).toBe('GENUINE');
      const files = unpacked(file);
      const [table, page] = [files.get('records.csv')!.toString(), files.get('timeline.html')!.toString()];
      const exported = await commanded(['audit', 'export', '--subject', `subject:${id}`, ...at], env);
      const shown = await commanded(['subjects', 'show', `subject:${id}`, ...at, '--json'], env);
      for (const text of [table, page, shown])
        for (const said of [`${released} into ${kept}`, `${released} out of ${kept}`]) expect(text).toContain(said);
      for (const text of [table, page, shown, exported]) expect(text).not.toMatch(/undefined|\[object|into null/);
    }
  });
});

it('the archive of a person to whom everything happened holds each kind of event, in words', async () => {
  const { data, page } = await archiveOf(await completed(await everythingHappened(), 'ACCESS'));
  const types = COMPOSITION.timeline.types.filter((type) => !NOT_HERE.includes(type));
  expect([...new Set(data.history.map(({ type }) => type))].sort()).toEqual(types.sort());
  for (const text of [JSON.stringify(data), page]) expect(text).not.toMatch(/undefined|\[object|into null/);
  expect(page).not.toMatch(/<code>|analytics|PreferenceSet/);
});
