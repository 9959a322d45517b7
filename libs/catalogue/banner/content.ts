import { hashOf } from '../../kernel/index.js';
import type { PolicyView } from '../../policy/index.js';
import type { DocumentPublishedData } from '../document.js';
import { LABELS, type BannerDefinition, type LabelName, type PresentationName } from './definition.js';

/** What a policy demands: to ask first, to offer an objection, to inform, or nothing. */
export const BANNER_PRESENTATIONS = ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'NONE'] as const;
export type BannerPresentationKind = (typeof BANNER_PRESENTATIONS)[number];

export type PublishedBanner = DocumentPublishedData<BannerDefinition>;

/**
 * Everything that a banner itself shows: one version, in one language, for one kind of policy. Purposes and law are in
 * it as hashes. Never add or rewrite a member: that would change the hashes of texts that records name, and the texts
 * could no longer be found. Make another version of the content beside this one instead.
 */
export interface BannerContent {
  version: number;
  locale: string;
  presentation: BannerPresentationKind;
  layout: BannerDefinition['layout'];
  position: BannerDefinition['position'];
  /** Null if the site has no such text. */
  texts: Record<'title' | 'body' | LabelName, string | null>;
  buttons: BannerDefinition['presentations']['optIn']['buttons'];
  links: { privacyPolicy: string | null; imprint: string | null };
  theme: BannerDefinition['theme'];
  /** As the site wrote it. A policy may demand a longer time before people are asked again. */
  behaviour: BannerDefinition['behaviour'];
}

/** Every text exists in every language, so any text shows the languages. */
export const bannerLocales = ({ presentations }: BannerDefinition): string[] =>
  Object.keys(presentations.optIn.title).sort();

/** The presentation that a policy demands; that for OPT_IN wherever refusing must be as easy as agreeing. */
export function presentationFor({ model, bannerRequired, rejectRequired }: PolicyView): BannerPresentationKind {
  if (rejectRequired || model === 'OPT_IN') return 'OPT_IN';
  return model === 'NONE' && bannerRequired ? 'NOTICE_ONLY' : model;
}

const NAMES: Partial<Record<BannerPresentationKind, PresentationName>> = {
  OPT_OUT: 'optOut',
  NOTICE_ONLY: 'noticeOnly',
};

/** The content in a language that the banner has. */
export function bannerContent(
  { definition, version }: PublishedBanner,
  presentation: BannerPresentationKind,
  locale: string,
): BannerContent {
  const { layout, position, presentations, labels, links, theme, behaviour } = definition;
  const { title, body, buttons } = presentations[NAMES[presentation] ?? 'optIn'] ?? presentations.optIn;
  const label = (name: LabelName): [LabelName, string | null] => [name, labels[name]?.[locale] ?? null];
  return {
    version,
    locale,
    presentation,
    layout,
    position,
    texts: {
      title: title[locale]!,
      body: body[locale]!,
      ...(Object.fromEntries(LABELS.map(label)) as Record<LabelName, string | null>),
    },
    buttons: presentation === 'NONE' ? [] : buttons,
    links: { privacyPolicy: links.privacyPolicy?.[locale] ?? null, imprint: links.imprint?.[locale] ?? null },
    theme,
    behaviour,
  };
}

const hashes = new WeakMap<PublishedBanner, Map<string, string>>();

/** The hash of that content. Cached beside the version, which never changes. */
export function bannerContentHash(
  published: PublishedBanner,
  presentation: BannerPresentationKind,
  locale: string,
): string {
  let known = hashes.get(published);
  if (!known) hashes.set(published, (known = new Map<string, string>()));
  const name = `${presentation} ${locale}`;
  let hash = known.get(name);
  if (!hash) known.set(name, (hash = hashOf(bannerContent(published, presentation, locale))));
  return hash;
}
