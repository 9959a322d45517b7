import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { assent } from '../support/command-line.js';
import { signIdentityToken } from '../support/identity-token.js';
import { newEmail, newKey, refused, subjectPath, subjectsIn } from '../support/subjects.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());
const { post, person, visitor, create, merge, revert, erase, states } = subjectsIn(() => world);

const link = (ref: string, anonymous: string): Promise<Answer> => {
  const [kind, value] = anonymous.split(':');
  return post(subjectPath(ref, '/identifiers'), { kind, value });
};
const identity = (subject: string, more: Record<string, unknown> = {}): Ask => ({
  headers: {
    'Consent-Identity': signIdentityToken({
      secretKey: world.demo.secretKey,
      site: world.demo.site,
      subject,
      claims: more,
    }),
  },
});

const record = (subject: string): Record<string, unknown> => ({ subject, purpose: 'analytics', decision: 'GRANTED' });
/** Everything that a page can do about somebody, by name. */
const WAYS: Record<string, (ref: string, ask?: Ask) => Promise<Answer>> = {
  'a record': (ref, ask) => post('/v1/consent', record(ref), undefined, { key: 'pk', ...ask }),
  'a record under a key': (ref, ask) => post('/v1/consent', record(ref), newKey(), { key: 'pk', ...ask }),
  'a batch': (ref, ask) =>
    post('/v1/consent/batch', { records: [record(world.visitor()), record(ref)] }, undefined, { key: 'pk', ...ask }),
  'a dry run': (ref, ask) =>
    post('/v1/consent/batch', { records: [record(world.visitor()), record(ref)], dryRun: true }, undefined, {
      key: 'pk',
      ...ask,
    }),
  'what is wanted': (ref, ask) =>
    post('/v1/preferences', { subject: ref, channel: 'email', values: [{ field: 'news', value: false }] }, undefined, {
      key: 'pk',
      ...ask,
    }),
  'the state': (ref, ask) => world.request('GET', pathOf(ref), { key: 'pk', ...ask }),
  'the fresh state': (ref, ask) => world.request('GET', pathOf(ref, '?fresh=true'), { key: 'pk', ...ask }),
  'the state then': (ref, ask) =>
    world.request('GET', pathOf(ref, `?asOf=${new Date().toISOString()}`), { key: 'pk', ...ask }),
  'the reasons': (ref, ask) => world.request('GET', pathOf(ref, '/explain?purpose=analytics'), { key: 'pk', ...ask }),
  'the preferences': (ref, ask) => world.request('GET', subjectPath(ref, '/preferences'), { key: 'pk', ...ask }),
};

/** Every way that is not answered so, after the seconds within which other processes learn of a link. */
async function expectEach(ref: string, wanted: string | null, ask?: Ask): Promise<void> {
  for (const [name, way] of Object.entries(WAYS)) {
    const seen = async (): Promise<string | null> => {
      const { status, body } = await way(ref, ask);
      return status < 300 ? null : `${status} ${body.code as string}`;
    };
    const deadline = Date.now() + 240_000;
    let last = await seen();
    while (last !== wanted && world.roles !== null && Date.now() < deadline) {
      await pause(50);
      last = await seen();
    }
    expect([name, last]).toEqual([name, wanted]);
  }
}
const CLOSED = '403 identity_token_required';

describe('a visitor', () => {
  test.each<[string, (ref: string) => Promise<unknown>]>([
    ['was linked to a person', async (ref) => link(await person(), ref)],
    [
      'was linked from the visitor’s side',
      async (ref) => post(subjectPath(ref, '/identifiers'), { kind: 'email', value: newEmail() }),
    ],
    ['was merged into a person', async (ref) => merge([ref], await person())],
    ['had a person merged into it', async (ref) => merge([await person()], ref)],
    [
      'was registered with an address',
      (ref) =>
        create([
          { kind: 'visitor_id', value: ref.slice(11) },
          { kind: 'email', value: newEmail() },
        ]),
    ],
  ])('who %s is that person: a public key alone reaches neither', async (_, becomesKnown) => {
    const ref = world.visitor();
    await visitor(ref, { analytics: 'DENIED' });
    const read = await WAYS['the state']!(ref);
    await becomesKnown(ref);
    await expectEach(ref, CLOSED);
    expect(await states(ref)).not.toHaveProperty('analytics', 'GRANTED');
    // Nor with the tag of what it was answered before, or any.
    for (const tag of [read.headers['etag'] as string, '*'])
      expect(refused(await WAYS['the state']!(ref, { headers: { 'If-None-Match': tag } }))[1]).toBe(
        'identity_token_required',
      );
    expect((await world.recorded({ subject: ref }, { key: 'sk' })).status).toBe(201);
  });

  test('whom nobody knows is reached, before and after a merge with another browser, and when a link is taken back', async () => {
    const [ref, other] = [world.visitor(), world.visitor()];
    await expectEach(ref, null);
    await visitor(other);
    await merge([other], ref);
    for (const each of [ref, other]) await expectEach(each, null);
    const { body } = await merge([ref], await person());
    for (const each of [ref, other]) await expectEach(each, CLOSED);
    await revert(body.mergeId as string);
    for (const each of [ref, other]) await expectEach(each, null);
  });

  test('is somebody new once the person was erased', async () => {
    const ref = world.visitor();
    await visitor(ref);
    const id = await person();
    await link(id, ref);
    await expectEach(ref, CLOSED);
    await erase(id);
    await expectEach(ref, null);
  });

  test('who is linked is told the same as any person, and named in a batch', async () => {
    const [ref, email] = [world.visitor(), newEmail()];
    await visitor(ref);
    await link(await person(email), ref);
    await expectEach(ref, CLOSED);
    const [linked, known] = [await WAYS['the state']!(ref), await WAYS['the state']!(`email:${email}`)];
    expect({ ...linked.body, requestId: null }).toEqual({ ...known.body, requestId: null });
    expect((await WAYS['a batch']!(ref)).body.issues).toEqual([
      { path: 'records[1].subject', message: 'needs an identity token' },
    ]);
  });

  test('who is linked is reached by who is vouched for, as far as the token goes', async () => {
    const [ref, email] = [world.visitor(), newEmail()];
    await visitor(ref);
    await link(await person(email), ref);
    await expectEach(ref, null, identity(ref));
    await expectEach(`email:${email}`, null, identity(`email:${email}`));
    await expectEach(ref, '403 identity_token_subject_mismatch', identity(`email:${email}`));
    const reading = identity(ref, { scope: ['consent:read'] });
    expect((await WAYS['the state']!(ref, reading)).status).toBe(200);
    expect(refused(await WAYS['a record']!(ref, reading))[1]).toBe('scope_missing');
  });
});

test('a site that says so leaves linked visitors open', async () => {
  const set = (how: string) =>
    assent(['sites', 'register', world.demo.site, '--name', 'Demo Shop', '--linked-visitors', how, '--json'], {
      ASSENT_DATA: world.dataFolder,
    });
  const ref = world.visitor();
  await visitor(ref);
  await link(await person(), ref);
  await expectEach(ref, CLOSED);
  expect(JSON.parse((await set('open')).out)).toMatchObject({ linkedVisitors: 'OPEN' });
  await expectEach(ref, null);
  expect(JSON.parse((await set('closed')).out)).toMatchObject({ linkedVisitors: 'CLOSED' });
  await expectEach(ref, CLOSED);
});
