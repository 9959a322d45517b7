import type { Instant } from '../../kernel/index.js';
import {
  BANNER_PRESENTATIONS,
  bannerContent,
  bannerContentHash,
  bannerLocales,
  type BannerContent,
} from '../banner/content.js';
import { BANNER } from '../banner/document.js';
import { versionsOf, type CatalogueState } from '../state.js';
import { TEMPLATE } from '../template/template-document.js';
import { templateContent, templateLocales, templateView, type TemplateContent } from '../template/template-view.js';
import { contentHash, purposeContent, type PurposeContent } from '../view.js';

/** Part of the ETag of every notice; raised like PURPOSE_VIEW_VERSION. */
export const NOTICE_VIEW_VERSION = 1;

export const NOTICE_KINDS = ['PURPOSE', 'BANNER', 'PREFERENCE_TEMPLATE'] as const;

/** A text that people were or could be shown, by its hash. */
export interface Notice {
  object: 'notice';
  kind: (typeof NOTICE_KINDS)[number];
  /** Key of its purpose; null for documents of which a site has one. */
  key: string | null;
  version: number;
  locale: string;
  /** SHA-256 of `content` in its canonical form (RFC 8785), `sha256:<hex>`. */
  contentHash: string;
  content: PurposeContent | BannerContent | TemplateContent;
  effectiveFrom: Instant;
  publishedAt: Instant;
}

const indexes = new WeakMap<CatalogueState, ReadonlyMap<string, () => Notice>>();

/**
 * The text of a hash, for ever: the catalogue keeps every version, also of retired purposes. Null if no published text
 * has that hash.
 */
export function noticeOf(state: CatalogueState, hash: string): Notice | null {
  let index = indexes.get(state);
  // The index of a new state is new. The hashes are cached beside versions, so only those of new versions are computed.
  if (!index) indexes.set(state, (index = new Map(noticesOf(state))));
  return index.get(hash)?.() ?? null;
}

type Published = Pick<Notice, 'version' | 'effectiveFrom' | 'publishedAt'>;

/** Every text by its hash. A content is only made when a caller asks for it. */
function* noticesOf(state: CatalogueState): Generator<[hash: string, notice: () => Notice]> {
  const entry = (
    hash: string,
    { version, effectiveFrom, publishedAt }: Published,
    made: () => Pick<Notice, 'kind' | 'key' | 'locale' | 'content'>,
  ): [string, () => Notice] => [
    hash,
    () => {
      const { kind, key, locale, content } = made();
      return { object: 'notice', kind, key, version, locale, contentHash: hash, content, effectiveFrom, publishedAt };
    },
  ];
  for (const { key, versions } of Object.values(state.purposes))
    for (const version of versions)
      for (const locale of Object.keys(version.definition.translations))
        yield entry(contentHash(version, locale), version, () => ({
          kind: 'PURPOSE',
          key,
          locale,
          content: purposeContent(version, locale),
        }));
  for (const banner of versionsOf(state, BANNER))
    for (const locale of bannerLocales(banner.definition))
      for (const presentation of BANNER_PRESENTATIONS)
        yield entry(bannerContentHash(banner, presentation, locale), banner, () => ({
          kind: 'BANNER',
          key: null,
          locale,
          content: bannerContent(banner, presentation, locale),
        }));
  for (const template of versionsOf(state, TEMPLATE))
    for (const locale of templateLocales(template.definition))
      yield entry(templateView(template, [locale]).contentHash, template, () => ({
        kind: 'PREFERENCE_TEMPLATE',
        key: null,
        locale,
        content: templateContent(template, locale),
      }));
}
