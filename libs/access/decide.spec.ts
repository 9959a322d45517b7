import { fold } from '../kernel/index.js';
import { decisionTest } from '../kernel/given-when-then.js';
import { decideSite, LIVE_KEYS_MAX, type SiteCommand } from './decide.js';
import type { ApiKeyIssued, ApiKeyRevoked, SiteEvent, SiteRegistered, SiteSettings } from './events.js';
import { isOrigin } from './origin.js';
import { DEFAULT_SETTINGS, isLive, originsListed, originsOf, siteFold } from './state.js';

const given = decisionTest(siteFold, decideSite);
const AT = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-02T10:00:00.000Z';

const settings: SiteSettings = { ...DEFAULT_SETTINGS, name: 'Shop', allowedOrigins: { test: ['http://localhost:3000'], live: ['https://shop.example'] } };
const registered: SiteRegistered = { type: 'SiteRegistered', data: { site: 'shop', ...settings } };
const keyData = (over: Partial<ApiKeyIssued['data']> = {}): ApiKeyIssued['data'] => ({
  keyId: 'key_AAAAAAAAAAAA', type: 'pk', env: 'live', secretHash: 'a'.repeat(64), last4: 'wxyz', scopes: ['*'], allowedOrigins: null,
  name: 'Website', expiresAt: null, sealedIdentityKey: null, issuedAt: AT, ...over,
});
const issued = (over: Partial<ApiKeyIssued['data']> = {}): ApiKeyIssued => ({ type: 'ApiKeyIssued', data: keyData(over) });
const revoked = (keyId = 'key_AAAAAAAAAAAA'): ApiKeyRevoked => ({ type: 'ApiKeyRevoked', data: { keyId, at: AT, reason: null } });
const register = (over: Partial<SiteSettings> = {}, site = 'shop'): SiteCommand => ({ type: 'registerSite', site, settings: over });
const issue = (over: Partial<ApiKeyIssued['data']> = {}): SiteCommand => ({ type: 'issueKey', key: keyData(over) });
const revoke: SiteCommand = { type: 'revokeKey', keyId: 'key_AAAAAAAAAAAA', at: LATER, reason: 'leaked' };

const exactly = (...expected: SiteEvent[]) => (events: SiteEvent[]) => expect(events).toEqual(expected);
const nothing = exactly();

describe('a site', () => {
  it('is registered with what was said and defaults for the rest', () => given().when(register(settings)).then(exactly(registered)));
  it('takes its slug as name where none was given', () => given().when(register()).then((events) => expect(events[0]!.data).toMatchObject({ site: 'shop', name: 'shop' })));
  it('registered again as it is, nothing happens', () => given(registered).when(register(settings)).then(nothing));
  it('keeps the settings that a change leaves out', () =>
    given(registered).when(register({ name: 'Store' })).then(exactly({ type: 'SiteChanged', data: { name: 'Store' } })));
  it('is refused with the fields that are wrong', () => {
    for (const wrong of [
      { name: '' }, { domains: ['https://x.example'] }, { domains: ['*.*.example'] }, { languages: [] }, { languages: ['english!'] }, { defaultLocale: 'fr' },
      { allowedOrigins: { test: [], live: ['http://shop.example'] } }, { rateLimits: { pk: { perSecond: 0, burst: 1 }, sk: null } },
    ] as Partial<SiteSettings>[]) given(registered).when(register(wrong)).refuses('validation_failed');
    given().when(register({}, 'Shop')).refuses('validation_failed');
    given().when(register({}, 'a.b')).refuses('validation_failed');
  });
});

describe('a key', () => {
  it('is issued to a site', () => given(registered).when(issue()).then(exactly(issued())));
  it('issued twice is issued once', () => given(registered, issued()).when(issue()).then(nothing));
  it('never takes the id of another', () => given(registered, issued()).when(issue({ secretHash: 'b'.repeat(64) })).refuses('state_conflict'));
  it('needs its site', () => given().when(issue()).refuses('validation_failed'));
  it('cannot have expired when it is issued', () => given(registered).when(issue({ expiresAt: AT })).refuses('validation_failed'));
  it('that is public cannot hold a secret key’s scope', () => {
    given(registered).when(issue({ scopes: ['history:read'] })).refuses('validation_failed');
    given(registered).when(issue({ scopes: ['history:read'], type: 'sk' })).then((events) => expect(events).toHaveLength(1));
  });
  it('that is secret has no origins', () => given(registered).when(issue({ type: 'sk', allowedOrigins: ['https://shop.example'] })).refuses('validation_failed'));
  it('is one of a bounded number', () => {
    const full = Array.from({ length: LIVE_KEYS_MAX }, (_, i) => issued({ keyId: `key_${i}` }));
    given(registered, ...full).when(issue()).refuses('state_conflict');
    given(registered, ...full, revoked('key_0')).when(issue()).then(exactly(issued()));
  });
  it('is revoked once', () => {
    given(registered, issued()).when(revoke).then(exactly({ type: 'ApiKeyRevoked', data: { keyId: 'key_AAAAAAAAAAAA', at: LATER, reason: 'leaked' } }));
    given(registered, issued(), revoked()).when(revoke).then(nothing);
    given(registered).when(revoke).refuses('validation_failed');
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
  });
  it('stops at an event it does not know', () => {
    expect(() => fold(siteFold, [registered, { type: 'ApiKeyRotated', data: {} } as never])).toThrow('unknown type');
  });
});

describe('an origin', () => {
  it.each([
    ['https://shop.example', true], ['https://shop.example:8443', true], ['http://localhost:3000', true], ['http://127.0.0.1', true],
    ['https://shop.example:443', false], ['https://shop.example/', false], ['https://Shop.example', false], ['http://shop.example', false], ['null', false],
    ['*', false], ['https://*.shop.example', false], ['https://user@shop.example', false], ['file://', false], ['', false], ['shop.example', false],
  ])('%s', (text, allowed) => expect(isOrigin(text, 'live')).toBe(allowed));
  it('may be plain http in test', () => expect(isOrigin('http://shop.test', 'test')).toBe(true));
});
