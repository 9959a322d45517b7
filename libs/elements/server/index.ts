import type { BannerManifest } from '../../client/types.js';
import { allowedBefore } from '../allowed.js';
import { describeBanner, themeProperties, type DescribedElement } from '../banner/description.js';
import { RENDERED_CLASS } from '../banner/rendered-class.js';
import { bannerAt, type Whereabouts } from './banner-at.js';
import { choiceStands } from './choice-in-cookie.js';
import { htmlOf } from './html.js';

export type { BannerManifest } from '../../client/types.js';
export { bannerAt, type BannerOfManifest, type Whereabouts } from './banner-at.js';
export { manifestSource, type ManifestSource } from './manifest-source.js';

/** Of one request for a page. */
export interface Visit extends Whereabouts {
  /** Whether the request has the header `Sec-GPC: 1`. */
  gpc?: boolean;
  /** Its header `Cookie`, as it came. */
  cookie?: string | null;
  /** Milliseconds since 1970; default: now. */
  now?: number;
}

/**
 * The banner as HTML for the beginning of the body, with declarative shadow DOM; empty where a choice stands, where nothing
 * is asked, and where the manifest does not have the language: the script of the page does then what it does without a
 * server. It needs no DOM, asks nothing, and throws nothing.
 */
export function renderBanner(manifest: BannerManifest, visit: Visit = {}): string {
  const found = bannerAt(manifest, visit);
  if (!found || found.banner.presentation === 'NONE') return '';
  const { banner, contentHash, country, region } = found;
  const places = [region ?? country ?? '', (visit.region || visit.country || '').toUpperCase()];
  if (visit.cookie && choiceStands(visit.cookie, places, visit.now ?? Date.now())) return '';
  const [first, second] = describeBanner(banner, allowedBefore(banner, visit.gpc === true));
  const [tag, attributes, inside] = waiting(first);
  const href = `${manifest.style}?${new URLSearchParams(themeProperties(banner.theme).map(withoutHash)).toString()}`;
  const layers: DescribedElement[] = [
    ['link', { rel: 'stylesheet', href }, []],
    [tag, { ...attributes, class: `${attributes['class']} ${RENDERED_CLASS}`, hidden: '' }, inside],
    second,
  ];
  return htmlOf([
    'assent-banner',
    {
      'data-content-hash': contentHash,
      ...(country !== null && { 'data-country': country }),
      ...(region !== null && { 'data-region': region }),
      'data-locale': banner.locale,
    },
    [['template', { shadowrootmode: 'open' }, layers]],
  ]);
}

/** A button that no script answers yet says so. */
const waiting = ([tag, attributes, inside]: DescribedElement): DescribedElement => [
  tag,
  tag === 'button' ? { ...attributes, disabled: '' } : attributes,
  inside.map((each) => (typeof each === 'string' ? each : waiting(each))),
];

/** Colours without their sign, so that the address needs no escapes. */
const withoutHash = ([name, value]: [string, string]): [string, string] => [name, value.replace(/^#/, '')];
