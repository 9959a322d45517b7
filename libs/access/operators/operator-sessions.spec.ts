import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { instantOf, plusMs, type Instant } from '../../kernel/index.js';
import { ADMIN_EVERYWHERE } from '../../context/roles.js';
import { MasterKey } from '../../vault/master-key.js';
import { IDLE_MINUTES, SessionRows } from './session-rows.js';
import { OperatorSessions, SESSION_HOURS } from './operator-sessions.js';

const TOKEN = `op_${'t'.repeat(43)}`;
const OWN = 'https://consent.shop.example';
let now: Instant;
let live: Map<string, string>;
let rows: SessionRows;
beforeEach(() => {
  now = instantOf(Date.UTC(2026, 10, 23, 8));
  live = new Map([[TOKEN, 'opt_first']]);
  rows = new SessionRows(null);
});

const sealerOf = (master: MasterKey) => ({
  seal: (purpose: string, secret: Uint8Array) => master.sealSecret(purpose, secret).toString('base64url'),
  open: (purpose: string, sealed: string) => master.openSecret(purpose, Buffer.from(sealed, 'base64url')),
});
const MASTER = randomBytes(32);
const sessions = ({ origins = [OWN], master = MASTER } = {}): OperatorSessions =>
  new OperatorSessions({
    sealer: sealerOf(new MasterKey(master)),
    verify: async (presented) => {
      const id = live.get(presented);
      return id === undefined ? null : { id, roles: ADMIN_EVERYWHERE };
    },
    origins: new Set(origins),
    rows,
    clock: () => now,
  });
/** As a browser sends it back. */
const sent = (setCookie: string) => ({ cookie: `theme=dark; ${setCookie.split(';')[0]}; other=1` });

describe('an operator in a browser', () => {
  it('is signed in by the token, in every process, until it ends', async () => {
    const cookie = (await sessions().begin(TOKEN))!;
    const there = sessions();
    expect(await there.of(sent(cookie))).toEqual({
      operator: { id: 'opt_first', roles: ADMIN_EVERYWHERE },
      name: null,
      id: expect.stringMatching(/^ses_[\w-]{32}$/),
      endsAt: plusMs(now, SESSION_HOURS * 3_600_000),
    });
    const end = plusMs(now, SESSION_HOURS * 3_600_000);
    for (now = plusMs(now, 1_700_000); now < end; now = plusMs(now, 1_700_000))
      expect(await there.of(sent(cookie))).not.toBeNull();
    now = plusMs(end, -1);
    expect(await there.of(sent(cookie))).not.toBeNull();
    now = plusMs(now, 1);
    expect(await there.of(sent(cookie))).toBeNull();
  });

  it('is signed out after half an hour without a request', async () => {
    const cookie = (await sessions().begin(TOKEN))!;
    now = plusMs(now, IDLE_MINUTES * 60_000 - 1);
    expect(await sessions().of(sent(cookie))).not.toBeNull();
    now = plusMs(now, IDLE_MINUTES * 60_000);
    expect(await sessions().of(sent(cookie))).toBeNull();
  });

  it('is signed out of all sessions at once, and of no other operator', async () => {
    const cookies = [
      (await sessions().begin(TOKEN))!,
      (await sessions().beginFor({ id: 'opt_first', roles: [] }, { way: 'OIDC' }))!,
    ];
    const other = await sessions().beginFor({ id: 'opr_other', roles: ADMIN_EVERYWHERE }, { way: 'OIDC' });
    expect((await rows.of('opt_first', now)).length).toBe(2);
    expect(await rows.endAll('opt_first', now, { keyId: 'opt_admin', requestId: 'req_1' })).toBe(2);
    for (const cookie of cookies) expect(await sessions().of(sent(cookie))).toBeNull();
    expect((await sessions().of(sent(other)))?.operator).toEqual({ id: 'opr_other', roles: ADMIN_EVERYWHERE });
  });

  it('is known to the console only by its header, and from pages of the service', async () => {
    const { cookie } = sent((await sessions().begin(TOKEN))!);
    const own = { cookie, 'assent-console': '1', 'sec-fetch-site': 'same-origin' };
    const isKnown = async (headers: IncomingHttpHeaders): Promise<boolean> =>
      (await sessions().ofConsole(headers)) !== null;
    expect([await isKnown(own), await isKnown({ ...own, origin: OWN })]).toEqual([true, true]);
    for (const headers of [
      { cookie, 'assent-console': '1' },
      { cookie, 'sec-fetch-site': 'same-origin' },
      { ...own, 'assent-console': '0' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'sec-fetch-site': 'none' },
      { ...own, origin: 'https://evil.example' },
    ])
      expect(await isKnown(headers)).toBe(false);
  });

  it('needs an operator’s token, and a cookie that is neither forged nor changed', async () => {
    expect(await sessions().begin('op_wrong')).toBeNull();
    const [cookie] = (await sessions().begin(TOKEN))!.split(';') as [string];
    // In the middle: of the last character some bits may count for nothing.
    const at = cookie.length >> 1;
    const changed = `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`;
    for (const made of [undefined, '', changed, cookie.slice(0, 60), '__Host-assent-operator=', `x${cookie}`])
      expect(await sessions().of(made === undefined ? {} : { cookie: made })).toBeNull();
    expect(await sessions({ master: randomBytes(32) }).of({ cookie })).toBeNull();
  });

  it('is signed out at once where the token is revoked', async () => {
    const cookie = (await sessions().begin(TOKEN))!;
    live.clear();
    expect(await sessions().of(sent(cookie))).toBeNull();
  });

  it('is signed out for holders of the cookie, in every process, and out of that session alone', async () => {
    const [one, other] = [(await sessions().begin(TOKEN))!, (await sessions().begin(TOKEN))!];
    await sessions().end((await sessions().of(sent(one)))!);
    expect(await sessions().of(sent(one))).toBeNull();
    expect(await sessions().of(sent(other))).not.toBeNull();
  });

  it('has a cookie that scripts, other sites and plain connections do not see, and that shows nothing of the token', async () => {
    const cookie = (await sessions().begin(TOKEN))!;
    expect(cookie).toMatch(
      /^__Host-assent-operator=[\w-]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(Buffer.from(cookie.split(/[=;]/)[1]!, 'base64url').toString('latin1')).not.toContain(TOKEN);
    expect(await sessions().end((await sessions().of(sent(cookie)))!)).toBe(
      '__Host-assent-operator=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
    );
    // Browsers refuse `Secure` from a machine that is reached without TLS.
    const plain = (await sessions({ origins: ['http://localhost:4100'] }).begin(TOKEN))!;
    expect(plain).toMatch(/^assent-operator=[\w-]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it('posts forms of our own pages only', () => {
    const isOwnForm = (headers: IncomingHttpHeaders): boolean => sessions().isOwnForm(headers);
    expect(isOwnForm({ origin: OWN })).toBe(true);
    expect(isOwnForm({ origin: OWN, 'sec-fetch-site': 'same-origin' })).toBe(true);
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: OWN, 'sec-fetch-site': 'cross-site' },
    ])
      expect(isOwnForm(headers)).toBe(false);
  });
});
