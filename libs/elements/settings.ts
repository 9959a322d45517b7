/** What the attributes of the script say. */
export interface Settings {
  /** The public key of the site and environment. */
  key: string;
  /** Where the service is, without a slash at its end. */
  baseUrl: string;
  /** Folder of the files beside the script, with a slash at its end. */
  files: string;
  /** ISO 3166-1 and 3166-2; undefined where the service is to find out. */
  country?: string;
  region?: string;
  /** BCP 47; undefined where neither the script nor the page names one. */
  locale?: string;
  /** The page makes and opens the banner itself. */
  isManual: boolean;
  /** Domain whose sub-domains share one visitor and one choice; undefined: each host has its own. */
  cookieDomain?: string;
  /** A consent product that was used before, or where its id is kept in the browser, as `old-visitor.ts` reads it. */
  carryOver?: string;
  /** Whether a page whose scripts ran is loaded anew after a withdrawal. */
  reloads: boolean;
  /** Interfaces for other scripts of the page that are switched on. */
  offers: readonly Offer[];
  /** Shows the panel of `debug/`. */
  isDebug: boolean;
  /** A server puts the banner into the first HTML: a cookie of this host tells it that a choice stands. */
  isRendered: boolean;
}

/** Google’s consent mode, and `__gpp` and `__tcfapi` of IAB: as they stand in `dataset`. */
const OFFERS = ['consentMode', 'gpp', 'tcf'] as const;
export type Offer = (typeof OFFERS)[number];

/** Tag managers load a script by its address alone: what that says in its query stands for attributes that are not there. */
export function attributesOf(script: HTMLScriptElement): void {
  for (const [name, value] of script.src ? new URL(script.src).searchParams : [])
    if (/^[a-z][a-z-]*$/.test(name) && !script.hasAttribute(`data-${name}`)) script.setAttribute(`data-${name}`, value);
}

/** What a server says by what it put into the page, or by its cookie. */
export interface FromServer {
  country?: string;
  region?: string;
  locale?: string;
}

/** `baseUrl` is where the script came from, unless it says otherwise. `server`: null where none takes part. */
export function settingsOf(
  { src, dataset }: Pick<HTMLScriptElement, 'src' | 'dataset'>,
  server: FromServer | null,
): Settings {
  const files = new URL('.', src).href;
  const { country, region }: FromServer = dataset['country'] || dataset['region'] ? dataset : (server ?? {});
  return {
    key: dataset['key'] ?? '',
    baseUrl: (dataset['baseUrl'] || files.replace(/elements\/v1\/$/, '')).replace(/\/+$/, ''),
    files,
    country: country || undefined,
    region: region || undefined,
    locale: dataset['locale'] || server?.locale || document.documentElement.lang || undefined,
    isManual: dataset['mode'] === 'manual',
    cookieDomain: dataset['cookieDomain'] || undefined,
    carryOver: dataset['carryOver'] || undefined,
    reloads: dataset['reload'] !== 'never',
    offers: OFFERS.filter((name) => dataset[name] === 'on'),
    isDebug: 'debug' in dataset,
    isRendered: server !== null,
  };
}
