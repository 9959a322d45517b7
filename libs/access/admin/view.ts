import { ENVIRONMENTS, type Environment, type Instant } from '../../kernel/index.js';
import { pageOf, type Page } from '../../http/list.js';
import { NO_FRAMEWORKS } from '../sites/framework-settings.js';
import type { KeyType } from '../../context/scopes.js';
import { conditionOf, type KeyCondition, type ShownKey, type SiteState } from '../state.js';
import type { KeyDto, SiteDto } from './dto.js';

export function siteView({ site, settings }: SiteState): SiteDto {
  const { name, domains, languages, defaultLocale, allowedOrigins, rateLimits, confirmationHours } = settings;
  const {
    evidence,
    allowSecretKeyInBrowser,
    linkedVisitors = 'CLOSED',
    ledger = 'CLOSED',
    identifierKinds = [],
    frameworks = NO_FRAMEWORKS,
  } = settings;
  return {
    site: site!,
    name,
    domains: [...domains],
    languages: [...languages],
    defaultLocale,
    allowedOrigins: { test: [...allowedOrigins.test], live: [...allowedOrigins.live] },
    rateLimits: { ...rateLimits },
    confirmationHours: confirmationHours!,
    evidence: { ...evidence },
    allowSecretKeyInBrowser,
    linkedVisitors,
    ledger,
    identifierKinds: [...identifierKinds],
    frameworks,
  };
}

/** Without the key and the hash of its secret. */
export function keyView(key: ShownKey, at: Instant): KeyDto {
  const {
    keyId,
    type,
    env,
    name,
    last4,
    scopes,
    allowedOrigins,
    issuedAt,
    createdBy,
    expiresAt,
    rotatedFrom,
    replacedBy,
    revokedAt,
  } = key;
  return {
    id: keyId,
    type,
    env,
    name,
    last4,
    scopes: [...scopes],
    allowedOrigins: allowedOrigins && [...allowedOrigins],
    state: conditionOf(key, at),
    createdAt: issuedAt,
    createdBy: createdBy!,
    expiresAt,
    rotatedFrom,
    replacedBy,
    revokedAt,
  };
}

/** Sites by name, those after `since`. */
export function pageOfSites(sites: readonly SiteState[], limit: number, since: string): Page<SiteState> {
  const found = sites.filter(({ site }) => site !== null && site > since).sort((a, b) => (a.site! < b.site! ? -1 : 1));
  return pageOf(found, limit, ({ site }) => [site!]);
}

/**
 * Newest first, those before a place. The cursor is a place in the order of issue, which never changes while keys are
 * issued.
 */
export function pageOfKeys(
  { keys }: SiteState,
  {
    type,
    env,
    envs,
    state,
  }: { type?: KeyType; env?: Environment; envs?: readonly Environment[]; state?: KeyCondition },
  at: Instant,
  limit: number,
  before: number | null,
): Page<ShownKey> {
  const found: { key: ShownKey; place: number }[] = [];
  const all = [...keys.values()];
  for (let place = Math.min(before ?? all.length, all.length) - 1; place >= 0 && found.length <= limit; place--) {
    const key = all[place]!;
    if (
      (type ?? key.type) === key.type &&
      (env ?? key.env) === key.env &&
      (envs ?? ENVIRONMENTS).includes(key.env) &&
      (state === undefined || conditionOf(key, at) === state)
    )
      found.push({ key, place });
  }
  const page = pageOf(found, limit, ({ place }) => [place]);
  return { ...page, data: page.data.map(({ key }) => key) };
}
