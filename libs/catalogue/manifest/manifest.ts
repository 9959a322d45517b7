import { canonicalJson, hashOf, type Instant } from '../../kernel/index.js';
import {
  placesKnown,
  policyView,
  siteRuleAt,
  type DatedRule,
  type PolicyView,
  type Whereabouts,
} from '../../policy/index.js';
import { bannerLocales, presentationFor } from '../banner/content.js';
import { BANNER } from '../banner/document.js';
import { resolvedBanner } from '../banner/resolve.js';
import { gppOf, noBanner, tcfAt, type BannerView, type FrameworksOfSite } from '../banner/view.js';
import { ownRulesOf } from '../policies/rules.js';
import { documentInForce, type CatalogueState } from '../state.js';

/** Everything that a person sees of a banner, and what the page does with it. The law and the frameworks are apart. */
export type ShownContent = Omit<BannerView, 'policy' | 'google' | 'tcf' | 'gpp'>;

/** What holds at one place. */
export interface RuleOfPlace {
  /** ISO 3166-1; null: a place that no other rule is for. */
  country: string | null;
  /** ISO 3166-2; null: everywhere in the country but in the regions that have a rule of their own. */
  region: string | null;
  policy: PolicyView;
  google: BannerView['google'];
  tcf: Pick<BannerView['tcf'], 'enabled'>;
  gpp: BannerView['gpp'];
  /** Hash of what is shown, by language. */
  contents: Record<string, string>;
}

/** Every banner that a site shows anywhere, without a person or a token: a server makes the banner of its first HTML of it. */
export interface BannerManifest {
  object: 'banner_manifest';
  /** Style sheet of the banner, whose address changes with it. */
  style: string;
  /** Null as long as no banner is in force. */
  defaultLocale: string | null;
  /** Every language of the banner, also those that `contents` has no room for. */
  availableLocales: readonly string[];
  rules: RuleOfPlace[];
  /** By its hash. */
  contents: Record<string, ShownContent>;
  /** As at a place whose rule says `tcf.enabled`. */
  tcf: BannerView['tcf'];
}

/** Most characters of all contents together. Languages that go beyond it are left out, the default one last. */
export const CONTENTS_LENGTH_MAX = 2_000_000;

/** What a person sees of a banner. */
export function shownContent(view: BannerView): ShownContent {
  const { policy: _, google: __, tcf: ___, gpp: ____, ...content } = view;
  return content;
}

/** Names exactly what is shown: texts, buttons, looks, behaviour, and each purpose with its words and its default. */
export const shownContentHash = (view: BannerView): string => hashOf(shownContent(view));

export interface ManifestMade {
  manifest: BannerManifest;
  /** The rules of all places, with the time in which each holds. */
  dated: readonly DatedRule[];
}

/** `lengthMax`: as CONTENTS_LENGTH_MAX. */
export function bannerManifest(
  state: CatalogueState,
  at: Instant,
  site: FrameworksOfSite,
  style: string,
  lengthMax = CONTENTS_LENGTH_MAX,
): ManifestMade {
  const own = ownRulesOf(state);
  const published = documentInForce(state, BANNER, at);
  const defaultLocale = published?.definition.defaultLocale ?? null;
  const availableLocales = published ? bannerLocales(published.definition) : [];
  const wanted = published ? [...new Set([published.definition.defaultLocale, ...availableLocales])] : ['und'];
  const places = placesOf(own).map((place) => {
    const dated = siteRuleAt(own, place, at);
    return { place, dated, policy: policyView(dated, place.country) };
  });
  const variants = new Map(places.map(({ policy }) => [variantOf(policy), policy]));
  const contents: BannerManifest['contents'] = {};
  const hashes = new Map<string, Record<string, string>>([...variants.keys()].map((variant) => [variant, {}]));
  const googles = new Map<string, BannerView['google']>();
  let length = 0;
  for (const locale of wanted) {
    const views = [...variants].map(
      ([variant, policy]) => [variant, resolvedBanner(state, policy, locale, at, site)] as const,
    );
    for (const [variant, { google }] of views) googles.set(variant, google);
    const shown = views.map(([variant, view]) => [variant, shownContentHash(view), shownContent(view)] as const);
    const ofLocale = new Map(shown.map(([, hash, content]) => [hash, content]));
    length += JSON.stringify([...ofLocale.values()]).length;
    if (length > lengthMax) break;
    for (const [variant, hash, content] of shown) {
      contents[hash] = content;
      hashes.get(variant)![locale] = hash;
    }
  }
  const [{ policy: anywhere }] = places as [(typeof places)[number]];
  const { tcf } = published ? resolvedBanner(state, anywhere, wanted[0]!, at, site) : noBanner(anywhere, site);
  const rules = places.map(({ place, policy }): RuleOfPlace => {
    const variant = variantOf(policy);
    return {
      ...place,
      policy,
      google: googles.get(variant)!,
      tcf: { enabled: tcfAt(policy, tcf.publisherCountry) },
      gpp: gppOf(policy, site),
      contents: hashes.get(variant)!,
    };
  });
  return {
    manifest: {
      object: 'banner_manifest',
      style,
      defaultLocale,
      availableLocales,
      rules,
      contents,
      tcf: { ...tcf, enabled: tcf.publisherCountry !== null },
    },
    dated: places.map(({ dated }) => dated),
  };
}

/** What of a policy decides what is shown: places that agree in it show the same. */
const variantOf = (policy: PolicyView): string =>
  canonicalJson([presentationFor(policy), policy.categories, policy.refusalCooldownDays]);

/** Every place with rules of its own, by law or by the site, after the one for all others. */
function placesOf(own: ReturnType<typeof ownRulesOf>): Whereabouts[] {
  const named = own.flatMap(({ definition }) => definition.policies);
  const all: Whereabouts[] = [
    ...placesKnown(),
    ...named.map(({ country }) => ({ country, region: null })),
    ...named.flatMap(({ country, region }) => (region === undefined ? [] : [{ country, region }])),
  ];
  const byName = new Map(all.map((place) => [place.region ?? place.country!, place]));
  return [{ country: null, region: null }, ...[...byName.keys()].sort().map((name) => byName.get(name)!)];
}
