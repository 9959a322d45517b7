import type { Instant, Issue } from '../../kernel/index.js';
import { policyView, siteRuleAt, type OwnRules, type PolicyView, type Whereabouts } from '../../policy/index.js';
import type { BannerDefinition } from '../banner/definition.js';
import { BANNER, textsOf } from '../banner/document.js';
import { resolvedBanner } from '../banner/resolve.js';
import { bannerLocale, type BannerView, type FrameworksOfSite } from '../banner/view.js';
import { supposeCatalogue, type CatalogueFiles } from '../decide.js';
import type { CatalogueFolderDto } from '../dto.js';
import { issuesIn, misshapenIn, type DraftFiles } from '../editing/draft-files.js';
import { filesOf } from '../files/files-of-input.js';
import { appliedTo } from '../if-applied.js';
import { ownRulesOf } from '../policies/rules.js';
import { documentInForce, type CatalogueState } from '../state.js';
import { findingsOf, type Finding } from './findings.js';

export interface PreviewWanted {
  /** Null: what is published. */
  files: DraftFiles | null;
  place: Whereabouts & { country: string };
  /** In order of preference. */
  locales: readonly string[];
  /** Show the place as if its law had this model. */
  model?: PolicyView['model'];
}

export interface SiteOfPreview {
  frameworks: FrameworksOfSite;
  languages: readonly string[];
}

export interface BannerPreview {
  banner: BannerView;
  findings: Finding[];
}

/**
 * What `GET /v1/banner` would answer once the files are published and in force, and what is wrong with them. A file that
 * has not the form of its kind cannot be shown: what is published stands in its place, and a finding says so.
 */
export function bannerPreview(
  { files, place, locales, model }: PreviewWanted,
  published: CatalogueState,
  site: SiteOfPreview,
  now: Instant,
): BannerPreview {
  const issues = files ? issuesIn(files, published, now) : [];
  const { events } = files ? supposeCatalogue(shownOf(files), published, now) : { events: [] };
  const { state, inForceFrom: at } = appliedTo(published, events, now);
  const policy = policyView(siteRuleAt(rulesOf(state, place, model, at), place, at), place.country);
  const locale = bannerLocale(documentInForce(state, BANNER, at), locales);
  return {
    banner: resolvedBanner(state, policy, locale, at, site.frameworks),
    findings: findingsOf({
      ...{ state, at, policy, issues },
      languages: site.languages,
      hasConsentTool: site.frameworks.cmp !== null,
    }),
  };
}

/** The files that can be shown: those of the right form, with a text wherever one is missing. */
function shownOf(files: DraftFiles): CatalogueFiles {
  const bad = new Set(misshapenIn(files).map(({ path }: Issue) => /^\w+(\[\d+\])?/.exec(path)?.[0] ?? path));
  const named = Object.entries(files).filter(([name]) => name === 'purposes' || !bad.has(name));
  const purposes = files.purposes.filter((_, index) => !bad.has(`purposes[${index}]`));
  const input = filesOf({ ...Object.fromEntries(named), purposes } as CatalogueFolderDto);
  const shown = input.purposes.filter(
    ({ definition: { key, translations, defaultLocale } }, index) =>
      translations[defaultLocale] !== undefined &&
      !(key in Object.prototype) &&
      input.purposes.findIndex(({ definition }) => definition.key === key) === index,
  );
  const { banner } = input;
  return {
    ...input,
    purposes: shown,
    ...(banner && { banner: { ...banner, definition: withAllTexts(banner.definition) } }),
  };
}

/** A text that lacks a language is shown in the default language, or as nothing. */
function withAllTexts(banner: BannerDefinition): BannerDefinition {
  const copy = structuredClone(banner);
  const texts = textsOf(copy).map(([, text]) => text as Record<string, string>);
  const locales = new Set([banner.defaultLocale, ...texts.flatMap((text) => Object.keys(text))]);
  for (const text of texts)
    for (const locale of locales) text[locale] ??= text[banner.defaultLocale] ?? Object.values(text)[0] ?? '';
  return copy;
}

/** The site's own rules, with one more where another model is to be shown. */
function rulesOf(
  state: CatalogueState,
  { country, region }: PreviewWanted['place'],
  model: PolicyView['model'] | undefined,
  at: Instant,
): readonly OwnRules[] {
  const own = ownRulesOf(state);
  if (model === undefined) return own;
  const before = own.findLast(({ effectiveFrom }) => effectiveFrom <= at)?.definition.policies ?? [];
  const supposed = {
    country,
    ...(region !== null && { region }),
    changes: { model, rejectRequired: model === 'OPT_IN', bannerRequired: model !== 'NONE' },
    ...{ who: 'preview', why: `Shown as if the model were ${model}.` },
  };
  return [...own, { effectiveFrom: at, definition: { policies: [...before, supposed] } }];
}
