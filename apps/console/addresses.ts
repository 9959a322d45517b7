import { ROOT } from './about.js';
import type { Place } from './session.js';

/** Screens of a site. */
export type SiteScreen =
  | 'overview'
  | 'people'
  | 'requests'
  | 'purposes'
  | 'banner'
  | 'statistics'
  | 'webhooks'
  | 'keys'
  | 'settings'
  | 'proof';
/** Screens of the whole installation. */
export type HouseScreen = 'system' | 'operators' | 'journal';

/** Address of a screen of a site. It never holds an identifier in clear: `id` is an id of the service. */
export const at = ({ site, env }: Place, screen: SiteScreen, id?: string): string =>
  [ROOT, site, env, screen, ...(id === undefined ? [] : [encodeURIComponent(id)])].join('/');

export const atHouse = (screen: HouseScreen): string => `${ROOT}/${screen}`;

/** An address of the service outside of the console, such as `/docs/guides`. */
export const outside = (path: string): string => ROOT.replace(/\/console$/, '') + path;

/** An address of the console as the service writes it, such as `/console/shop/live/requests?overdue=true`. */
export const linked = (path: string): string => outside(path);
