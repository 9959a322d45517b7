import { codeIn, mailsTo, until } from '../support/double-opt-in.js';
import { signIdentityToken } from '../support/identity-token.js';
import { knownAndUnknown } from '../support/portal-timing.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/** Requests that people make on pages of the site, over HTTP. */
let world: World;
let people = 0;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world?.stop());

const address = (): string => `asker${++people}@intake.example`;
/** A network address of its own, as far as limits count them. */
const elsewhere = (): string => `198.51.${Math.floor(people / 250) % 256}.${(people % 250) + 1}`;
const ask = (body: object, more: object = {}): Promise<Answer> =>
  world.request('POST', '/v1/data-requests/portal', { key: 'pk', body, from: elsewhere(), ...more });
const enter = (handle: string, code: string, more: object = {}): Promise<Answer> =>
  world.request('POST', '/v1/data-requests/portal/code', {
    key: 'pk',
    body: { handle, code },
    from: elsewhere(),
    ...more,
  });
const codesFor = async (to: string): Promise<string[]> => (await mailsTo(world, to)).map((mail) => codeIn(mail)!);
const codeFor = (to: string): Promise<string> => until(async () => (await codesFor(to))[0]);
const requestsOf = async (subject: string): Promise<{ id: string; type: string; state: string }[]> =>
  (await world.request('GET', `/v1/data-requests?subject=${encodeURIComponent(subject)}`)).body.data as never;
const handleOf = ({ body }: Answer): string => (body.verification as { handle: string }).handle;

it('is opened when the mailed code comes back, with the dates of the law, once', async () => {
  const to = address();
  const asked = await ask({ subject: `email:${to}`, type: 'ACCESS', jurisdiction: { country: 'DE' }, locale: 'de' });
  expect(asked.status).toBe(202);
  expect(asked.body).toMatchObject({ type: 'ACCESS', status: 'CODE_NEEDED', request: null });
  const code = await codeFor(to);
  expect(await requestsOf(`email:${to}`)).toEqual([]);
  const wrong = await enter(handleOf(asked), code === '000000' ? '000001' : '000000');
  expect([wrong.status, wrong.body.code]).toEqual([404, 'token_invalid']);
  const { status, body } = await enter(handleOf(asked), code);
  expect(status).toBe(200);
  expect(body.request).toMatchObject({ type: 'ACCESS', state: 'VERIFIED', regulation: 'GDPR', duplicate: false });
  expect(body.request.dueAt).not.toBeNull();
  const again = await enter(handleOf(asked), code);
  expect([again.status, again.body.code]).toEqual([404, 'token_invalid']);
  // A second one of the same kind is the one that is open.
  const repeated = await ask({ subject: `email:${to}`, type: 'ACCESS' });
  const second = await until(async () => (await codesFor(to)).find((each) => each !== code));
  expect((await enter(handleOf(repeated), second)).body.request).toMatchObject({
    id: (body.request as { id: string }).id,
    duplicate: true,
  });
});

it('opts out at once without proof, for somebody who is known and for somebody who is not', async () => {
  const known = `email:${address()}`;
  await world.recorded({ subject: known, purpose: 'sale_of_data' }, { key: 'sk' });
  for (const subject of [known, `email:${address()}`, world.visitor(), '+49 170 555 0 19']) {
    const named = subject.startsWith('+') ? `phone:${subject}` : subject;
    const { status, body } = await ask({
      subject: named,
      type: 'OPT_OUT_SALE_SHARE',
      jurisdiction: { country: 'US', region: 'US-CA' },
    });
    expect([status, body]).toEqual([
      202,
      { object: 'portal_request', type: 'OPT_OUT_SALE_SHARE', status: 'ACCEPTED', verification: null, request: null },
    ]);
    await until(async () => {
      const path = `/v1/subjects/${encodeURIComponent(named)}/consent?fresh=true&country=US&region=US-CA`;
      const { purposes } = (await world.request('GET', path)).body as {
        purposes: Record<string, { effective: string }>;
      };
      return purposes['sale_of_data']!.effective === 'BLOCKED' ? true : undefined;
    });
  }
});

it('is opened at once with a token of the subject, which then learns more, and only of its own subject', async () => {
  const subject = `email:${address()}`;
  const identity = signIdentityToken({ secretKey: world.demo.secretKey, site: world.demo.site, subject });
  const opened = await ask({ subject, type: 'ERASURE' }, { headers: { 'Consent-Identity': identity } });
  expect(opened.status).toBe(202);
  expect(opened.body).toMatchObject({ status: 'ACCEPTED', request: { type: 'ERASURE', state: 'VERIFIED' } });
  const other = await ask(
    { subject: `email:${address()}`, type: 'ERASURE' },
    { headers: { 'Consent-Identity': identity } },
  );
  expect([other.status, other.body.code]).toEqual([403, 'identity_token_subject_mismatch']);
  const { body } = await world.request('POST', '/v1/portal-tokens', { body: { subject, scopes: ['requests:write'] } });
  const portal = body.token as string;
  const id = (JSON.parse(Buffer.from(portal.split('.')[1]!, 'base64url').toString()) as { sub: string }).sub;
  const byPortal = await ask(
    { subject: `subject:${id}`, type: 'RECTIFICATION' },
    { headers: { 'Consent-Identity': portal } },
  );
  expect(byPortal.body).toMatchObject({ status: 'ACCEPTED', request: { type: 'RECTIFICATION' } });
  const narrow = await world.request('POST', '/v1/portal-tokens', { body: { subject, scopes: ['requests:read'] } });
  const refused = await ask(
    { subject: `subject:${id}`, type: 'ACCESS' },
    { headers: { 'Consent-Identity': narrow.body.token as string } },
  );
  expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
});

describe('a code to an address that nobody verified, of a person of whom something else is verified', () => {
  const TYPES = ['ACCESS', 'PORTABILITY', 'ERASURE', 'WITHDRAW_ALL', 'KNOW_CATEGORIES', 'RESTRICTION'];

  /** Somebody whose account is verified and whose address may be mistyped; answers their references. */
  async function somebodyMistyped(): Promise<{ account: string; to: string }> {
    const to = address();
    const account = `user_id:mistyped-${people}`;
    const identifiers = [
      { kind: 'user_id', value: account.slice('user_id:'.length), verified: true },
      { kind: 'email', value: to },
    ];
    expect((await world.request('POST', '/v1/subjects', { body: { identifiers } })).status).toBe(201);
    return { account, to };
  }

  it.each(TYPES)('makes a request that waits for an operator, and says why: %s', async (type) => {
    const { account, to } = await somebodyMistyped();
    const asked = await ask({ subject: `email:${to}`, type, jurisdiction: { country: 'DE' } });
    const entered = await enter(handleOf(asked), await codeFor(to));
    expect([entered.status, entered.body.request]).toEqual([200, expect.objectContaining({ state: 'RECEIVED' })]);
    const path = `/v1/data-requests/${(entered.body.request as { id: string }).id}`;
    const { body } = await world.request('GET', path);
    const pending = { status: 'PENDING', method: null, verifiedAt: null, expiresAt: null };
    expect(body.verification).toEqual({ ...pending, reason: 'ADDRESS_NOT_VERIFIED' });
    const early = await world.request('POST', `${path}/complete`, { body: {} });
    expect([early.status, early.body.code]).toEqual([409, 'state_conflict']);

    // The person is not kept from asking, and learns nothing of it.
    const identity = signIdentityToken({ secretKey: world.demo.secretKey, site: world.demo.site, subject: account });
    const own = await ask({ subject: account, type }, { headers: { 'Consent-Identity': identity } });
    expect(own.body.request).toMatchObject({ state: 'VERIFIED', duplicate: false });
    // Nor does who reads the mail learn of what the person asked.
    const again = await ask({ subject: `email:${to}`, type });
    const second = await until(async () => (await codesFor(to)).find((_, i, all) => all.length > 1 && i === 0));
    expect((await enter(handleOf(again), second)).body).toMatchObject({ status: 'ACCEPTED', request: null });

    const verified = await world.request('POST', `${path}/verify`, { body: { method: 'DOCUMENT' } });
    expect(verified.body.verification).toMatchObject({ status: 'VERIFIED', method: 'DOCUMENT', reason: null });
  });

  it('proves the person once the address is verified, and where nothing is verified', async () => {
    const { account, to } = await somebodyMistyped();
    const path = `/v1/subjects/${encodeURIComponent(account)}/identifiers`;
    const body = { kind: 'email', value: to, verified: true };
    expect((await world.request('POST', path, { body })).status).toBeLessThan(300);
    const asked = await ask({ subject: `email:${to}`, type: 'ACCESS' });
    const entered = await enter(handleOf(asked), await codeFor(to));
    expect(entered.body.request).toMatchObject({ state: 'VERIFIED' });
  });

  it('does not open the person after a merge either', async () => {
    const { account, to } = await somebodyMistyped();
    const other = address();
    await world.recorded({ subject: `email:${other}` }, { key: 'sk' });
    const merged = { sources: [`email:${other}`], target: account };
    expect((await world.request('POST', '/v1/subjects/merge', { body: merged })).status).toBe(200);
    for (const each of [to, other]) {
      const asked = await ask({ subject: `email:${each}`, type: each === to ? 'ACCESS' : 'PORTABILITY' });
      const entered = await enter(handleOf(asked), await codeFor(each));
      expect(entered.body.request).toMatchObject({ state: 'RECEIVED' });
    }
  });
});

it('refuses by name what it does not take, whoever exists', async () => {
  const known = `user_id:intake-${people}`;
  await world.recorded({ subject: known }, { key: 'sk' });
  const agent = { type: 'AGENT', name: 'Grace' };
  const refusals: [object, number, string][] = [
    [{ subject: known, type: 'ACCESS' }, 403, 'identity_token_required'],
    [{ subject: 'user_id:nobody-at-all', type: 'ACCESS' }, 403, 'identity_token_required'],
    [{ subject: known, type: 'OPT_OUT_SALE_SHARE' }, 403, 'identity_token_required'],
    [{ subject: world.visitor(), type: 'ACCESS' }, 403, 'identity_token_required'],
    [{ subject: 'nonsense', type: 'ACCESS' }, 400, 'subject_ref_invalid'],
    [{ subject: `email:${address()}`, type: 'EVERYTHING' }, 422, 'validation_failed'],
    [{ subject: `email:${address()}`, type: 'ERASURE', requester: agent }, 422, 'validation_failed'],
  ];
  for (const [body, status, code] of refusals) {
    const answer = await ask(body);
    expect([body, answer.status, answer.body.code]).toEqual([body, status, code]);
  }
  const handle = 'pcd_AAAAAAAAAAAAAAAAAAAAAA';
  const unknown = await enter(handle, '123456');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'token_invalid']);
});

it('mails one address three times an hour, and one caller can ask for twenty', async () => {
  const to = address();
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push((await ask({ subject: `email:${to}`, type: 'ACCESS' })).status);
  expect(statuses).toEqual([202, 202, 202, 429, 429, 429]);
  const from = '203.0.113.200';
  const tried = await Promise.all(
    Array.from({ length: 40 }, () => ask({ subject: `email:${address()}`, type: 'ACCESS' }, { from })),
  );
  const passed = tried.filter(({ status }) => status === 202).length;
  expect([passed >= 20, passed <= 22, tried.filter(({ status }) => status === 429).length]).toEqual([
    true,
    true,
    40 - passed,
  ]);
});

it.each(['ACCESS', 'OPT_OUT_SALE_SHARE'])(
  'shows by nothing in the answer whether somebody is known: %s',
  async (type) => {
    const { shapes, deviation } = await knownAndUnknown(world, type, 60);
    expect(shapes).toBe(1);
    expect(Math.abs(deviation)).toBeLessThan(4.5);
  },
);
