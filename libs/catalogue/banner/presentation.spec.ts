import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { epochMs, instantOf, plusMs, type Instant } from '../../kernel/index.js';
import { policyView, ruleAt } from '../../policy/index.js';
import { readJws, signedJws } from '../../receipts/jws.js';
import { signingKey } from '../../receipts/signing-key.js';
import type { CatalogueEvent } from '../events.js';
import { catalogueFold } from '../state.js';
import { BANNER_PRESENTATIONS } from './content.js';
import { BANNER_ACTIONS, EMPHASES } from './definition.js';
import { lastChange, presentationOf, quarterOf, statedSince, type Presentation } from './presentation.js';
import {
  claimsOf,
  PRESENTATION_TOKEN_LENGTH_MAX,
  PRESENTATION_TYPE,
  presentationIn,
  sameBanner,
  shownPurpose,
} from './presentation-token.js';
import { noBanner } from './view.js';

const AT = '2026-11-22T12:07:03.250Z';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SHOP = { site: 'shop', env: 'test' } as const;
const KEYS = { test: signingKey(Buffer.alloc(32, 1)), live: signingKey(Buffer.alloc(32, 2)) };

const hash = fc.stringMatching(/^sha256:[0-9a-f]{64}$/);
const locale = fc.constantFrom('en', 'de-AT', 'ar');
const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0) }).map(instantOf);
const presentation: fc.Arbitrary<Presentation> = fc.record({
  shownAt: instant,
  banner: fc.record({
    version: fc.integer({ min: 1 }),
    locale,
    presentation: fc.constantFrom(...BANNER_PRESENTATIONS),
    contentHash: hash,
  }),
  buttons: fc.array(
    fc.record({
      action: fc.constantFrom(...BANNER_ACTIONS),
      layer: fc.constantFrom(1, 2),
      emphasis: fc.constantFrom(...EMPHASES),
    }),
    { maxLength: 6 },
  ),
  policy: fc.record({
    id: fc.constantFrom('DE.always', 'US-CA.2023-01-01', 'fallback'),
    country: fc.option(fc.constantFrom('DE', 'US')),
    region: fc.option(fc.constant('US-CA')),
    matchedBy: fc.constantFrom('REGION', 'COUNTRY', 'FALLBACK'),
    fingerprint: hash,
    asOf: fc.constant('2026-11-20'),
  }),
  purposes: fc.uniqueArray(
    fc.record({
      key: fc.stringMatching(/^[a-z][a-z0-9_.-]{0,63}$/),
      version: fc.integer({ min: 1 }),
      locale,
      contentHash: hash,
      default: fc.constantFrom('GRANTED', 'DENIED'),
    }),
    { maxLength: 12, selector: ({ key }) => key },
  ),
});

const tokenOf = (shown: Presentation, scope: { site: string; env: 'test' | 'live' } = SHOP, key = KEYS[scope.env]) =>
  signedJws(PRESENTATION_TYPE, claimsOf(scope, shown), key);

/** As the service reads a token. */
function signedIn(token: string) {
  const keys = [
    { env: 'test' as const, ...KEYS.test },
    { env: 'live' as const, ...KEYS.live },
  ];
  const read = readJws(PRESENTATION_TYPE, token, keys);
  return read && { env: read.key.env, content: read.content };
}
const read = (token: string, chosenAt: Instant, scope: { site: string; env: 'test' | 'live' } = SHOP) =>
  presentationIn(signedIn(token), scope, chosenAt);

const SHOWN: Presentation = {
  shownAt: AT,
  banner: { version: 3, locale: 'en', presentation: 'OPT_IN', contentHash: `sha256:${'a'.repeat(64)}` },
  buttons: [
    { action: 'ACCEPT_ALL', layer: 1, emphasis: 'PRIMARY' },
    { action: 'REJECT_ALL', layer: 1, emphasis: 'PRIMARY' },
  ],
  policy: {
    id: 'DE.always',
    country: 'DE',
    region: null,
    matchedBy: 'COUNTRY',
    fingerprint: `sha256:${'b'.repeat(64)}`,
    asOf: '2026-11-20',
  },
  purposes: [
    { key: 'analytics', version: 2, locale: 'en', contentHash: `sha256:${'c'.repeat(64)}`, default: 'DENIED' },
    { key: 'marketing', version: 1, locale: 'de', contentHash: `sha256:${'d'.repeat(64)}`, default: 'DENIED' },
  ],
};

describe('a presentation token', () => {
  it('says exactly what was shown', () =>
    fc.assert(
      fc.property(presentation, (shown) => expect(read(tokenOf(shown), shown.shownAt)).toEqual(shown)),
      { numRuns: 200 },
    ));

  it('is the same for the same content, and another for anything else', () =>
    fc.assert(
      fc.property(presentation, presentation, (one, other) => {
        expect(tokenOf(structuredClone(one))).toBe(tokenOf(one));
        const areSame = JSON.stringify(one) === JSON.stringify(other);
        expect(tokenOf(one) === tokenOf(other)).toBe(areSame);
      }),
    ));

  it('is refused with any byte turned', () => {
    const token = tokenOf(SHOWN);
    for (let place = 0; place < token.length; place++) {
      const bytes = Buffer.from(token, 'latin1');
      bytes[place]! ^= 1 << (place & 7);
      expect(read(bytes.toString('latin1'), AT)).toMatchObject({ code: 'presentation_token_invalid' });
    }
  });

  it('counts for what is chosen within a day, and five minutes before by a clock that lags', () => {
    const token = tokenOf(SHOWN);
    const code = (chosenAt: Instant) => (read(token, chosenAt) as { code?: string }).code ?? 'counts';
    expect(
      [-5 * MINUTE_MS - 1, -5 * MINUTE_MS, 0, DAY_MS - 1, DAY_MS, 2 * DAY_MS].map((ms) => code(plusMs(AT, ms))),
    ).toEqual([
      'presentation_mismatch',
      'counts',
      'counts',
      'counts',
      'presentation_token_expired',
      'presentation_token_expired',
    ]);
  });

  it('counts on its own site and in its own environment only, whatever it says of itself', () => {
    const foreign = { code: 'presentation_token_foreign', issues: [{ path: 'collection.presentationToken' }] };
    expect(read(tokenOf(SHOWN, { site: 'other', env: 'test' }), AT)).toMatchObject(foreign);
    expect(read(tokenOf(SHOWN, { site: 'shop', env: 'live' }), AT)).toMatchObject(foreign);
    // Signed for live with the key of test, as if that key were stolen.
    expect(read(tokenOf(SHOWN, { site: 'shop', env: 'live' }, KEYS.test), AT, { ...SHOP, env: 'live' })).toMatchObject(
      foreign,
    );
  });

  it('is no receipt, and nothing else that the same key signed', () =>
    expect(read(signedJws('consent-receipt+jws', claimsOf(SHOP, SHOWN), KEYS.test), AT)).toMatchObject({
      code: 'presentation_token_invalid',
    }));

  it('has 1,800 characters for ten purposes, and fits its limit with a hundred', () => {
    const purposes = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ ...SHOWN.purposes[0]!, key: `some_longer_purpose_${n}` }));
    expect(tokenOf({ ...SHOWN, purposes: purposes(10) }).length).toBeLessThan(2_000);
    expect(tokenOf({ ...SHOWN, purposes: purposes(100) }).length).toBeLessThan(PRESENTATION_TOKEN_LENGTH_MAX);
  });
});

describe('a choice', () => {
  it('is about a purpose that was shown, in the version and on the banner that were', () => {
    expect(shownPurpose(SHOWN, 'analytics', {})).toBe(SHOWN.purposes[0]);
    expect(shownPurpose(SHOWN, 'analytics', { purposeVersion: 2, bannerVersion: 3 })).toBe(SHOWN.purposes[0]);
    expect(sameBanner(SHOWN, {})).toBeNull();
    expect(sameBanner(SHOWN, { bannerVersion: 3 })).toBeNull();
  });

  it.each<[string, Parameters<typeof shownPurpose>[2], string, string]>([
    ['sale', {}, 'purpose', 'is not among the purposes that were shown'],
    ['analytics', { purposeVersion: 1 }, 'purposeVersion', 'is not the version that was shown, 2'],
    ['analytics', { bannerVersion: 2 }, 'collection.bannerVersion', 'is not the version that was shown, 3'],
  ])('about %s with %j does not fit', (key, claimed, path, message) =>
    expect(shownPurpose(SHOWN, key, claimed)).toMatchObject({
      code: 'presentation_mismatch',
      issues: [{ path, message }],
    }),
  );
});

describe('what is stated', () => {
  const policy = policyView(ruleAt({ country: 'DE', region: null }, AT), 'DE');

  it('is nothing where there is nothing to show', () => expect(presentationOf(noBanner(policy), AT)).toBeNull());

  it('is stated for a quarter of an hour, never before it was so', () => {
    expect(statedSince(AT, [])).toBe('2026-11-22T12:00:00.000Z');
    expect(statedSince(AT, [null, '2026-11-22T11:00:00.000Z'])).toBe('2026-11-22T12:00:00.000Z');
    expect(statedSince(AT, ['2026-11-22T12:05:00.001Z', '2026-11-22T12:02:00.000Z', null])).toBe(
      '2026-11-22T12:05:00.001Z',
    );
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 40 * MINUTE_MS }), (at, later) => {
        const since = statedSince(at, []);
        expect(epochMs(at) - epochMs(since)).toBeLessThan(15 * MINUTE_MS);
        expect(since <= at).toBe(true);
        const then = plusMs(at, later);
        expect(quarterOf(then) === quarterOf(at)).toBe(statedSince(then, []) === since);
      }),
    );
  });

  it('changed last when something was published, began to hold, or was retired', () => {
    const published = (key: string, version: number, publishedAt: Instant, effectiveFrom = publishedAt) =>
      ({
        type: 'PurposePublished',
        data: { definition: { key }, version, publishedAt, effectiveFrom },
      }) as unknown as CatalogueEvent;
    const [first, second, third] = ['2026-11-01', '2026-11-05', '2026-11-09'].map((day) => `${day}T00:00:00.000Z`);
    const state = [
      published('analytics', 1, first!),
      // In force since before it was published; and only later than it was.
      published('analytics', 2, second!, '2026-10-01T00:00:00.000Z'),
      published('marketing', 1, second!, '2026-12-01T00:00:00.000Z'),
      { type: 'PurposeRetired', data: { key: 'analytics', version: 2, retiredAt: third } } as unknown as CatalogueEvent,
    ].reduce((folded, event) => catalogueFold.evolve(folded, event), catalogueFold.initial());
    expect(lastChange(catalogueFold.initial(), AT)).toBeNull();
    const moments = ['2026-10-31', '2026-11-04', '2026-11-08', '2026-11-30', '2026-12-02'];
    expect(moments.map((day) => lastChange(state, `${day}T00:00:00.000Z`))).toEqual([
      null,
      first,
      second,
      third,
      '2026-12-01T00:00:00.000Z',
    ]);
  });
});
