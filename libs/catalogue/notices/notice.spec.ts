import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { hashOf, type Instant } from '../../kernel/index.js';
import { compile } from '../../http/contract/fields.js';
import { policyView, ruleAt } from '../../policy/index.js';
import { resolvedBanner } from '../banner/resolve.js';
import type { CatalogueEvent } from '../events.js';
import { catalogueFold, type CatalogueState } from '../state.js';
import { templateInForce } from '../template/template.js';
import { templateView } from '../template/template-view.js';
import { purposeView } from '../view.js';
import { PublishedTextDto } from './dto.js';
import { noticeOf } from './notice.js';

const GOLDEN = new URL('../../../test/history/', import.meta.url);
const golden = (name: string): CatalogueEvent =>
  JSON.parse(readFileSync(new URL(`${name}.json`, GOLDEN), 'utf8')) as CatalogueEvent;
const folded = (...events: CatalogueEvent[]): CatalogueState =>
  events.reduce((state, event) => catalogueFold.evolve(state, event), catalogueFold.initial());

const EVENTS = ['PurposePublished.v1', 'BannerPublished.v1', 'TemplatePublished.v1'].map(golden);
const PUBLISHED = folded(...EVENTS);
const LATER: Instant = '2100-01-01T00:00:00.000Z';

/** Every hash in answers. */
function hashesAnswered(state: CatalogueState): string[] {
  const views = [...'DE US BR'.split(' '), null].flatMap((country) =>
    ['en', 'de', 'ar'].flatMap((locale) => {
      const policy = policyView(ruleAt({ country, region: country === 'US' ? 'US-CA' : null }, LATER), country);
      const banner = state.documents.banner?.at(-1)?.definition.presentations.optIn.title ?? {};
      return locale in banner ? [resolvedBanner(state, policy, locale, LATER)] : [];
    }),
  );
  const templates = ['en', 'de'].map((locale) => templateView(templateInForce(state, LATER), [locale]).contentHash);
  const purposes = Object.values(state.purposes).flatMap((purpose) =>
    ['en', 'de'].map((locale) => purposeView(purpose, purpose.versions.at(-1)!, [locale], LATER).contentHash),
  );
  return [
    ...purposes,
    ...views.flatMap(({ contentHash, purposes }) => [contentHash, ...purposes.map((each) => each.contentHash)]),
    ...templates,
  ];
}

describe('a text that was shown', () => {
  it('is found by every hash in an answer, and its content proves the hash', () => {
    const answered = hashesAnswered(PUBLISHED);
    expect(new Set(answered).size).toBeGreaterThan(4);
    const kinds = answered.map((hash) => {
      const notice = noticeOf(PUBLISHED, hash)!;
      expect(hashOf(notice.content)).toBe(hash);
      expect(notice).toMatchObject({ object: 'notice', contentHash: hash, locale: notice.content.locale });
      expect(compile(PublishedTextDto)(JSON.parse(JSON.stringify(notice)))).toEqual([]);
      return notice.kind;
    });
    expect(new Set(kinds)).toEqual(new Set(['PURPOSE', 'BANNER', 'PREFERENCE_TEMPLATE']));
  });

  it('is found also when there are newer versions, and when its purpose was retired', () => {
    const answered = hashesAnswered(PUBLISHED);
    const newer = EVENTS.map(
      (event) =>
        ({
          ...event,
          data: { ...event.data, version: (event.data as { version: number }).version + 1 },
        }) as CatalogueEvent,
    );
    const [purpose] = newer;
    const retired = {
      type: 'PurposeRetired',
      data: { key: (purpose!.data as { definition: { key: string } }).definition.key, version: 2, retiredAt: LATER },
    } as CatalogueEvent;
    const state = folded(...EVENTS, ...newer, retired);
    expect(hashesAnswered(state).filter((hash) => answered.includes(hash))).toEqual([]);
    for (const hash of answered) expect(noticeOf(state, hash)).toEqual(noticeOf(PUBLISHED, hash));
  });

  it('is not found by another hash, nor in another catalogue', () => {
    for (const hash of ['', 'constructor', `sha256:${'0'.repeat(64)}`]) expect(noticeOf(PUBLISHED, hash)).toBeNull();
    for (const hash of hashesAnswered(PUBLISHED)) expect(noticeOf(catalogueFold.initial(), hash)).toBeNull();
  });

  // Records name these. A hash that is another one here is a text that is lost.
  it('keeps its hash for ever', () =>
    expect([...new Set(hashesAnswered(PUBLISHED))].sort()).toEqual([
      'sha256:0ef44018cb8ed6b5e182d18517188613fcf3017a68418fa09787d98f1af4771c',
      'sha256:3553cf19b4841d01789a5d0d42b45df0f91a3ac3bd6069028fc5e2c3b5bc327e',
      'sha256:716a00acf8e1229a51b5086fbb4df45749dc211a86700cbbcdf0099ef526c532',
      'sha256:8f335120cbba990e182e87954c055e764a9f7a0f2ad62138f164d0ba7f9fed15',
      'sha256:99b0f8a818f82463e15996d3af8765fae130cc7e5ee8c8376ed8bf3df4ef24a7',
      'sha256:ea293f518817d6bb1226c60a9092bbc1ed2404728475983d74636616b138ea30',
      'sha256:fba1793613a02952df395e92cac533b560659b8a58d356f90fce8234756e261c',
      'sha256:fd25aa78e2733c1bf55105adfb177850317a382f2e1129fb7aa2d0d25f02748d',
    ]));
});
