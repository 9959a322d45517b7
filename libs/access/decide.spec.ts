import fc from 'fast-check';
import { epochMs, fold, instantOf, isRefusal, plusMs } from '../kernel/index.js';
import { decisionTest } from '../kernel/given-when-then.js';
import {
  decideSite,
  LIVE_KEYS_MAX,
  OVERLAPS_MS,
  type ChangeOrigins,
  type Overlap,
  type RotateKey,
  type SiteCommand,
  type WantedSettings,
} from './decide.js';
import type { ApiKeyIssued, ApiKeyRevoked, ApiKeyRotated, SiteEvent, SiteRegistered, SiteSettings } from './events.js';
import { NO_FRAMEWORKS, type FrameworkChange } from './sites/framework-settings.js';
import { isOrigin } from './callers/origin.js';
import { conditionOf, DEFAULT_SETTINGS, isLive, originsListed, originsOf, siteFold, type KeyState } from './state.js';

const given = decisionTest(siteFold, decideSite);
const AT = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-02T10:00:00.000Z';

const settings: SiteSettings = {
  ...DEFAULT_SETTINGS,
  name: 'Shop',
  allowedOrigins: { test: ['http://localhost:3000'], live: ['https://shop.example'] },
};
const registered: SiteRegistered = { type: 'SiteRegistered', data: { site: 'shop', ...settings } };
const keyData = (over: Partial<ApiKeyIssued['data']> = {}): ApiKeyIssued['data'] => ({
  keyId: 'key_AAAAAAAAAAAA',
  type: 'pk',
  env: 'live',
  secretHash: 'a'.repeat(64),
  last4: 'wxyz',
  scopes: ['*'],
  allowedOrigins: null,
  name: 'Website',
  expiresAt: null,
  sealedIdentityKey: null,
  issuedAt: AT,
  ...over,
});
const issued = (over: Partial<ApiKeyIssued['data']> = {}): ApiKeyIssued => ({
  type: 'ApiKeyIssued',
  data: keyData(over),
});
const revoked = (keyId = 'key_AAAAAAAAAAAA'): ApiKeyRevoked => ({
  type: 'ApiKeyRevoked',
  data: { keyId, at: AT, reason: null },
});
const register = (over: WantedSettings = {}, site = 'shop'): SiteCommand => ({
  type: 'registerSite',
  site,
  settings: over,
});
const issue = (over: Partial<ApiKeyIssued['data']> = {}): SiteCommand => ({ type: 'issueKey', key: keyData(over) });
const OLD = 'key_AAAAAAAAAAAA';
const successor = { keyId: 'key_CCCCCCCCCCCC', secretHash: 'c'.repeat(64), last4: 'abcd', sealedIdentityKey: null };
const rotate = (over: Partial<RotateKey> = {}): SiteCommand => ({
  type: 'rotateKey',
  keyId: OLD,
  successor,
  overlap: '24h',
  at: LATER,
  reason: null,
  ...over,
});
const rotated = (over: Partial<ApiKeyRotated['data']> = {}): ApiKeyRotated => ({
  type: 'ApiKeyRotated',
  data: {
    keyId: OLD,
    successorId: successor.keyId,
    expiresAt: '2026-03-03T10:00:00.000Z',
    at: LATER,
    reason: null,
    ...over,
  },
});
const revoke: SiteCommand = { type: 'revokeKey', keyId: 'key_AAAAAAAAAAAA', at: LATER, reason: 'leaked' };

const exactly =
  (...expected: SiteEvent[]) =>
  (events: SiteEvent[]) =>
    expect(events).toEqual(expected);
const nothing = exactly();

describe('a site', () => {
  it('is registered with what was said and defaults for the rest', () =>
    given().when(register(settings)).then(exactly(registered)));
  it('takes its slug as name where none was given', () =>
    given()
      .when(register())
      .then((events) => expect(events[0]!.data).toMatchObject({ site: 'shop', name: 'shop' })));
  it('registered again as it is, nothing happens', () => given(registered).when(register(settings)).then(nothing));
  it('keeps the settings that a change leaves out', () =>
    given(registered)
      .when(register({ name: 'Store' }))
      .then(exactly({ type: 'SiteChanged', data: { name: 'Store' } })));
  it('keeps what is not named of its settings for frameworks, as they stand', () => {
    const changed = (frameworks: SiteSettings['frameworks']): SiteEvent => ({
      type: 'SiteChanged',
      data: { frameworks },
    });
    const cmp = { ...NO_FRAMEWORKS, tcf: { ...NO_FRAMEWORKS.tcf, cmpId: 300, cmpVersion: 4 } };
    given(registered)
      .when(register({ frameworks: { tcf: { cmpId: 300, cmpVersion: 4 } } }))
      .then(exactly(changed(cmp)));
    given(registered, changed(cmp))
      .when(register({ frameworks: { gpp: { mspa: { covered: true, mode: 'OPT_OUT' } } } }))
      .then(exactly(changed({ ...cmp, gpp: { ...cmp.gpp, mspa: { covered: true, mode: 'OPT_OUT' } } })));
    given(registered)
      .when(register({ frameworks: { gpp: { approach: 'STATE' } } }))
      .then(nothing);
  });
  it.each<[string, FrameworkChange]>([
    ['tcf.cmpId', { tcf: { cmpId: 1, cmpVersion: 1 } }],
    ['tcf.cmpId', { tcf: { cmpId: 4096, cmpVersion: 1 } }],
    ['tcf.cmpVersion', { tcf: { cmpId: 2, cmpVersion: 0 } }],
    ['tcf.cmpVersion', { tcf: { cmpId: 2 } }],
    ['tcf.cmpId', { tcf: { cmpVersion: 2 } }],
    ['gpp.mspa.mode', { gpp: { mspa: { covered: true } } }],
    ['gpp.mspa.mode', { gpp: { mspa: { mode: 'OPT_OUT' } } }],
  ])('refuses %s that no string could encode', (path, frameworks) => {
    const refused = decideSite(register({ frameworks }), fold(siteFold, [registered]));
    expect(isRefusal(refused) && refused.issues.map((issue) => issue.path)).toEqual([`frameworks.${path}`]);
  });
  it('is refused with the fields that are wrong', () => {
    for (const wrong of [
      { name: '' },
      { domains: ['https://x.example'] },
      { domains: ['*.*.example'] },
      { languages: [] },
      { languages: ['english!'] },
      { defaultLocale: 'fr' },
      { allowedOrigins: { test: [], live: ['http://shop.example'] } },
      { rateLimits: { pk: { perSecond: 0, burst: 1 }, sk: null } },
    ] as Partial<SiteSettings>[])
      given(registered).when(register(wrong)).refuses('validation_failed');
    given().when(register({}, 'Shop')).refuses('validation_failed');
    given().when(register({}, 'a.b')).refuses('validation_failed');
  });
});

describe('origins of a site', () => {
  const change = (over: Partial<ChangeOrigins>): SiteCommand => ({
    type: 'changeOrigins',
    env: 'test',
    add: [],
    remove: [],
    ...over,
  });
  const origins = (test: string[], live = ['https://shop.example']): SiteEvent => ({
    type: 'SiteChanged',
    data: { allowedOrigins: { test, live } },
  });

  it('are added to those that stand when it is decided, even if another operator added them', () =>
    given(registered, origins(['http://localhost:3000', 'http://localhost:4000']))
      .when(change({ add: ['http://localhost:5000', 'http://localhost:3000'] }))
      .then(exactly(origins(['http://localhost:3000', 'http://localhost:4000', 'http://localhost:5000']))));
  it('are taken off, and added, in one change', () =>
    given(registered)
      .when(change({ env: 'live', add: ['https://www.shop.example'], remove: ['https://shop.example'] }))
      .then(exactly(origins(['http://localhost:3000'], ['https://www.shop.example']))));
  it('that stand as wanted already change nothing', () => {
    given(registered)
      .when(change({ add: ['http://localhost:3000'] }))
      .then(nothing);
    given(registered)
      .when(change({ remove: ['http://localhost:9'] }))
      .then(nothing);
  });
  it('are refused where one is none, stands on both sides, or is one too many', () => {
    given(registered)
      .when(change({ add: ['shop'] }))
      .refuses('validation_failed');
    given(registered)
      .when(change({ env: 'live', add: ['http://shop.example'] }))
      .refuses('validation_failed');
    given(registered)
      .when(change({ add: ['http://a.example'], remove: ['http://a.example'] }))
      .refuses('validation_failed');
    given(registered)
      .when(change({ add: Array.from({ length: 100 }, (_, i) => `http://localhost:${i + 5000}`) }))
      .refuses('validation_failed');
  });
  it('belong to a registered site', () =>
    given()
      .when(change({ add: ['http://a.example'] }))
      .refuses('validation_failed'));
});

it('a setting made of parts keeps those that a change leaves out, as they stand when it is decided', () => {
  given(registered)
    .when(register({ allowedOrigins: { live: [] } }))
    .then(exactly({ type: 'SiteChanged', data: { allowedOrigins: { test: ['http://localhost:3000'], live: [] } } }));
  given(registered, { type: 'SiteChanged', data: { rateLimits: { pk: { perSecond: 1, burst: 2 }, sk: null } } })
    .when(register({ rateLimits: { sk: { perSecond: 3, burst: 4 } } }))
    .then(
      exactly({
        type: 'SiteChanged',
        data: { rateLimits: { pk: { perSecond: 1, burst: 2 }, sk: { perSecond: 3, burst: 4 } } },
      }),
    );
  given(registered, { type: 'SiteChanged', data: { evidence: { ip: 'NONE', userAgent: true } } })
    .when(register({ evidence: { userAgent: false } }))
    .then(exactly({ type: 'SiteChanged', data: { evidence: { ip: 'NONE', userAgent: false } } }));
});

describe('a key', () => {
  it('is issued to a site', () => given(registered).when(issue()).then(exactly(issued())));
  it('issued twice is issued once', () => given(registered, issued()).when(issue()).then(nothing));
  it('never takes the id of another', () =>
    given(registered, issued())
      .when(issue({ secretHash: 'b'.repeat(64) }))
      .refuses('state_conflict'));
  it('needs its site', () => given().when(issue()).refuses('validation_failed'));
  it('cannot have expired when it is issued', () =>
    given(registered)
      .when(issue({ expiresAt: AT }))
      .refuses('validation_failed'));
  it('that is public cannot hold a secret key’s scope', () => {
    given(registered)
      .when(issue({ scopes: ['history:read'] }))
      .refuses('validation_failed');
    given(registered)
      .when(issue({ scopes: ['history:read'], type: 'sk' }))
      .then((events) => expect(events).toHaveLength(1));
  });
  it('that is secret has no origins', () =>
    given(registered)
      .when(issue({ type: 'sk', allowedOrigins: ['https://shop.example'] }))
      .refuses('validation_failed'));
  it('is one of a bounded number', () => {
    const full = Array.from({ length: LIVE_KEYS_MAX }, (_, i) => issued({ keyId: `key_${i}` }));
    given(registered, ...full)
      .when(issue())
      .refuses('state_conflict');
    given(registered, ...full, revoked('key_0'))
      .when(issue())
      .then(exactly(issued()));
  });
  it('is revoked once', () => {
    given(registered, issued())
      .when(revoke)
      .then(exactly({ type: 'ApiKeyRevoked', data: { keyId: 'key_AAAAAAAAAAAA', at: LATER, reason: 'leaked' } }));
    given(registered, issued(), revoked()).when(revoke).then(nothing);
    given(registered).when(revoke).refuses('key_not_found');
  });
});

describe('a key that is rotated', () => {
  const own = {
    ...successor,
    type: 'pk',
    env: 'live',
    scopes: ['consent:read'],
    allowedOrigins: ['https://app.example'],
    name: 'Website',
    expiresAt: null,
    issuedAt: LATER,
  } as const;
  const narrow = issued({ scopes: ['consent:read'], allowedOrigins: ['https://app.example'] });

  it('gets one successor that may do the same, and an end', () =>
    given(registered, narrow)
      .when(rotate())
      .then(
        exactly(
          { type: 'ApiKeyIssued', data: { ...own, scopes: [...own.scopes], allowedOrigins: [...own.allowedOrigins] } },
          rotated(),
        ),
      ));
  it.each(Object.entries(OVERLAPS_MS))('works on for %s', (overlap, ms) =>
    given(registered, issued())
      .when(rotate({ overlap: overlap as Overlap }))
      .then((events) => {
        expect(events[1]).toEqual(rotated({ expiresAt: plusMs(LATER, ms) }));
        const key = fold(siteFold, [registered, issued(), ...events]).keys.get(OLD)!;
        expect([isLive(key, plusMs(LATER, ms - 1)), isLive(key, plusMs(LATER, ms))]).toEqual([ms > 0, false]);
      }),
  );
  it('never works longer than it would have', () => {
    const soon = plusMs(LATER, 60_000);
    given(registered, issued({ expiresAt: soon }))
      .when(rotate({ overlap: '7d' }))
      .then((events) => expect(events[1]).toEqual(rotated({ expiresAt: soon })));
  });
  it('works on for no longer than the overlap, even where it was issued for longer', () =>
    given(registered, issued({ expiresAt: plusMs(LATER, 30 * 86_400_000) }))
      .when(rotate({ overlap: '1h' }))
      .then((events) => expect(events[1]).toEqual(rotated({ expiresAt: plusMs(LATER, 3_600_000) }))));
  it('and was issued for a time has a successor for as long a time', () =>
    given(registered, issued({ expiresAt: plusMs(AT, 30 * 86_400_000) }))
      .when(rotate())
      .then((events) =>
        expect(events[0]!.data).toMatchObject({ issuedAt: LATER, expiresAt: plusMs(LATER, 30 * 86_400_000) }),
      ));
  it('is rotated once: the same again changes nothing, another is refused', () => {
    const done = [registered, issued(), issued({ ...successor, issuedAt: LATER }), rotated()];
    given(...done)
      .when(rotate())
      .then(nothing);
    given(...done)
      .when(rotate({ successor: { ...successor, keyId: 'key_DDDDDDDDDDDD' } }))
      .refuses('state_conflict');
  });
  it('must be there, and live', () => {
    given().when(rotate()).refuses('validation_failed');
    given(registered).when(rotate()).refuses('key_not_found');
    given(registered, issued(), revoked()).when(rotate()).refuses('state_conflict');
    given(registered, issued({ expiresAt: LATER }))
      .when(rotate())
      .refuses('state_conflict');
    given(registered, issued(), issued(successor)).when(rotate()).refuses('state_conflict');
  });
  it('can still be revoked, and so can its successor', () => {
    const done = [registered, issued(), issued({ ...successor, issuedAt: LATER }), rotated()];
    for (const keyId of [OLD, successor.keyId])
      given(...done)
        .when({ ...revoke, keyId } as SiteCommand)
        .then((events) => expect(events).toHaveLength(1));
  });
  it('does not take a site over its number of live keys, unless it ends at once', () => {
    const full = Array.from({ length: LIVE_KEYS_MAX - 1 }, (_, i) => issued({ keyId: `key_${i}` }));
    given(registered, issued(), ...full)
      .when(rotate())
      .refuses('state_conflict');
    given(registered, issued(), ...full)
      .when(rotate({ overlap: '0' }))
      .then((events) => expect(events).toHaveLength(2));
  });
});

describe('a refusal says what is wrong and what to do', () => {
  const noSite = {
    message: 'There is no such site.',
    hint: 'Register the site first.',
    issues: [{ path: 'site', message: 'names no site' }],
  };
  const noKey = {
    message: 'The site has no such key.',
    hint: 'List the keys of the site and send one of their ids.',
    issues: [{ path: 'id', message: 'names no key of this site' }],
  };
  const idTaken = { message: 'A key with that id exists.', hint: 'Try again: the key gets another id.' };
  const tooMany = { message: `The site has ${LIVE_KEYS_MAX} live keys.`, hint: 'Revoke keys that are no longer used.' };
  const full = Array.from({ length: LIVE_KEYS_MAX }, (_, i) => issued({ keyId: `key_${i}` }));
  const origins = (add: string[], remove: string[] = []): SiteCommand => ({
    type: 'changeOrigins',
    env: 'live',
    add,
    remove,
  });
  it.each<[string, SiteEvent[], SiteCommand, object]>([
    ['a key for a site that there is not', [], issue(), noSite],
    ['origins of a site that there is not', [], origins(['https://a.example']), noSite],
    ['a rotation on a site that there is not', [], rotate(), noSite],
    ['a revocation on a site that there is not', [], revoke, noSite],
    ['a rotation of a key that there is not', [registered], rotate(), noKey],
    ['a revocation of a key that there is not', [registered], revoke, noKey],
    ['the id of another key', [registered, issued()], issue({ secretHash: 'b'.repeat(64) }), idTaken],
    ['a successor with the id of another key', [registered, issued(), issued(successor)], rotate(), idTaken],
    ['a key too many', [registered, ...full], issue(), tooMany],
    ['a rotation too many', [registered, ...full], rotate({ keyId: 'key_0' }), tooMany],
    [
      'a second rotation',
      [registered, issued(), issued(successor), rotated()],
      rotate({ successor: { ...successor, keyId: 'key_DDDDDDDDDDDD' } }),
      { message: 'The key was rotated already.', hint: expect.stringContaining(`successor, ${successor.keyId}`) },
    ],
    [
      'a rotation of a key that was revoked',
      [registered, issued(), revoked()],
      rotate(),
      { message: expect.stringContaining('The key is revoked'), hint: 'Issue a key.' },
    ],
    [
      'a rotation of a key that expired',
      [registered, issued({ expiresAt: LATER })],
      rotate(),
      { message: expect.stringContaining('The key is expired'), hint: 'Issue a key.' },
    ],
    [
      'origins that are none, or stand on both sides',
      [registered],
      origins(['shop', 'https://a.example'], ['https://b.example', 'https://a.example']),
      {
        message: 'The input is not valid.',
        hint: 'Correct the fields named in issues.',
        issues: [
          { path: 'remove[1]', message: 'is also to be added' },
          { path: 'add[0]', message: expect.stringContaining('must be an exact https origin') },
        ],
      },
    ],
  ])('%s', (_, events, command, refusal) =>
    expect(decideSite(command, fold(siteFold, events))).toMatchObject({ refused: true, ...refusal }),
  );
});

describe('whatever is done to the keys of a site', () => {
  const step = fc.record({
    kind: fc.constantFrom('issue', 'rotate', 'rotate', 'revoke'),
    target: fc.nat({ max: 9 }),
    overlap: fc.constantFrom(...(Object.keys(OVERLAPS_MS) as Overlap[])),
    lifeDays: fc.option(fc.integer({ min: 1, max: 2_900_000 })),
    waitMinutes: fc.nat({ max: 5000 }),
  });

  it('a key has one successor at most, which may do the same; what ended never works again; doing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = fold(siteFold, [registered]);
        let at = AT;
        for (const [i, { kind, target, overlap, lifeDays, waitMinutes }] of steps.entries()) {
          at = plusMs(at, waitMinutes * 60_000);
          const keyId = [...state.keys.keys()][target] ?? 'key_nobody';
          const minted = { ...successor, keyId: `key_${i}`, secretHash: String(i) };
          const expiresAt = lifeDays === null ? null : instantOf(epochMs(at) + lifeDays * 86_400_000);
          const command: SiteCommand =
            kind === 'issue'
              ? issue({ ...minted, issuedAt: at, expiresAt })
              : kind === 'rotate'
                ? rotate({ keyId, successor: minted, overlap, at })
                : { type: 'revokeKey', keyId, at, reason: null };
          const decided = decideSite(command, state);
          if (isRefusal(decided)) continue;
          const before = state;
          state = fold(siteFold, decided.events, before);
          expect(decideSite(command, state)).toEqual({ refused: false, events: [] });
          for (const key of before.keys.values())
            if (!isLive(key, at)) expect(isLive(state.keys.get(key.keyId)!, at)).toBe(false);
        }
        const may = ({ type, env, scopes, allowedOrigins, name }: KeyState) => ({
          type,
          env,
          scopes,
          allowedOrigins,
          name,
        });
        for (const key of state.keys.values()) {
          expect(
            [...state.keys.values()].filter(({ rotatedFrom }) => rotatedFrom === key.keyId).map(({ keyId }) => keyId),
          ).toEqual(key.replacedBy === null ? [] : [key.replacedBy]);
          if (key.replacedBy !== null) expect(may(state.keys.get(key.replacedBy)!)).toEqual(may(key));
          if (key.expiresAt !== null)
            expect(conditionOf(key, plusMs(key.expiresAt, -1))).toBe(
              key.revokedAt !== null ? 'revoked' : key.expiresAt === key.rotatedAt ? 'expired' : 'live',
            );
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the state of a site', () => {
  const other = issued({ keyId: 'key_BBBBBBBBBBBB', allowedOrigins: ['https://app.example'], expiresAt: LATER });
  const state = fold(siteFold, [registered, issued(), other, revoked()]);
  const [first, second] = [...state.keys.values()];

  it('holds several keys, each live until it is revoked or expires', () => {
    expect(isLive(first!, AT)).toBe(false);
    expect(isLive(second!, AT)).toBe(true);
    expect(isLive(second!, LATER)).toBe(false);
  });
  it('gives a key the origins of its site unless it has its own', () => {
    expect(originsOf(state, first!)).toEqual(['https://shop.example']);
    expect(originsOf(state, second!)).toEqual(['https://app.example']);
    expect(originsListed(state)).toEqual(new Set(['https://app.example']));
    expect(originsListed(fold(siteFold, [registered, issued({ type: 'sk' })])).size).toBe(0);
  });
  it('says who issued a key, as far as its event says so', () => {
    const by = { ...issued(), metadata: { actor: 'operator' } };
    expect(fold(siteFold, [registered, by]).keys.get(OLD)!.createdBy).toBe('operator');
    expect(fold(siteFold, [registered, issued()]).keys.get(OLD)!.createdBy).toBeNull();
  });
  it('stops at an event it does not know', () => {
    expect(() => fold(siteFold, [registered, { type: 'ApiKeyLent', data: {} } as never])).toThrow('unknown type');
  });
});

describe('an origin', () => {
  it.each([
    ['https://shop.example', true],
    ['https://shop.example:8443', true],
    ['http://localhost:3000', true],
    ['http://127.0.0.1', true],
    ['https://shop.example:443', false],
    ['https://shop.example/', false],
    ['https://Shop.example', false],
    ['http://shop.example', false],
    ['null', false],
    ['*', false],
    ['https://*.shop.example', false],
    ['https://user@shop.example', false],
    ['file://', false],
    ['', false],
    ['shop.example', false],
  ])('%s', (text, allowed) => expect(isOrigin(text, 'live')).toBe(allowed));
  it('may be plain http in test', () => expect(isOrigin('http://shop.test', 'test')).toBe(true));
  it('is of the web, in test too', () => expect(isOrigin('ftp://shop.test', 'test')).toBe(false));
  it('has at most 300 characters', () => {
    const ofLength = (length: number) => `https://${'a.'.repeat(140)}`.padEnd(length, 'b');
    expect([300, 301].map((length) => isOrigin(ofLength(length), 'live'))).toEqual([true, false]);
  });
});
