import type { SiteState } from '../../access/index.js';
import { redirectUrl } from '../../preferences/services.js';

/** The site that an address belongs to, as people write addresses: `shop.example`, `https://www.shop.example/cart`. */
export function siteAt(sites: readonly SiteState[], typed: string): SiteState | null {
  const host = typed
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const withoutWww = host.replace(/^www\./, '');
  const at = (name: string): SiteState | undefined =>
    sites.find(({ settings }) => redirectUrl(`https://${name}/`, settings.domains, 'live') !== null);
  return at(host) ?? at(withoutWww) ?? at(`www.${withoutWww}`) ?? null;
}

/** Where the portal of a site is for people: in `live`, unless the site is only being tried. */
export function portalOf({ site, settings }: SiteState): string {
  const isTried = settings.allowedOrigins.live.length === 0 && settings.allowedOrigins.test.length > 0;
  return `/portal/${site}/${isTried ? 'test' : 'live'}`;
}
