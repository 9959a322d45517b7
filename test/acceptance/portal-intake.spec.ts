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
