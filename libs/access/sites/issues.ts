import {
  ONE_LINE,
  ONE_LINE_HINT,
  ENVIRONMENTS,
  isCustomKind,
  SITE_PATTERN,
  type Environment,
  type Issue,
} from '../../kernel/index.js';
import type { ApiKeyIssued, SiteSettings } from '../events.js';
import { issuesOfFrameworks } from './framework-settings.js';
import { isOrigin } from '../callers/origin.js';
import { canHold, EVERY_SCOPE, isScope } from '../../context/scopes.js';

/** Domains, languages and origins of one list. */
export const LIST_MAX = 100;
/** A week. A link that confirms is no log-in: it may wait for a person who is away. */
export const CONFIRMATION_HOURS_MAX = 168;

export function issuesOfSite(site: string, settings: SiteSettings): Issue[] {
  const issues: Issue[] = [];
  const check = (holds: boolean, path: string, message: string) => holds || issues.push({ path, message });
  check(SITE_PATTERN.test(site), 'site', 'must be 1 to 40 of a-z, 0-9 and -, starting with a letter');
  check(settings.name.length >= 1 && settings.name.length <= 200, 'name', 'must have 1 to 200 characters');
  check(ONE_LINE.test(settings.name), 'name', `must be ${ONE_LINE_HINT}`);
  check(settings.domains.length <= LIST_MAX, 'domains', `must have at most ${LIST_MAX} entries`);
  settings.domains.forEach((domain, i) =>
    check(
      DOMAIN.test(domain),
      `domains[${i}]`,
      'must be a host name in lower case, such as www.example.com or *.example.com',
    ),
  );
  check(
    settings.languages.length >= 1 && settings.languages.length <= LIST_MAX,
    'languages',
    `must have 1 to ${LIST_MAX} entries`,
  );
  settings.languages.forEach((tag, i) =>
    check(LANGUAGE.test(tag), `languages[${i}]`, 'must be a BCP 47 tag, such as en or pt-BR'),
  );
  check(settings.languages.includes(settings.defaultLocale), 'defaultLocale', 'must be one of the languages');
  for (const env of ENVIRONMENTS)
    issues.push(...issuesOfOrigins(settings.allowedOrigins[env], `allowedOrigins.${env}`, env));
  const kinds = settings.identifierKinds ?? [];
  check(kinds.length <= LIST_MAX, 'identifierKinds', `must have at most ${LIST_MAX} entries`);
  kinds.forEach((kind, i) =>
    check(
      isCustomKind(kind) && kinds.indexOf(kind) === i,
      `identifierKinds[${i}]`,
      'must be custom. and a slug of 1 to 40 of a-z, 0-9 and _, starting with a letter, and stand once',
    ),
  );
  const hours = settings.confirmationHours ?? 1;
  check(
    Number.isInteger(hours) && hours >= 1 && hours <= CONFIRMATION_HOURS_MAX,
    'confirmationHours',
    `must be 1 to ${CONFIRMATION_HOURS_MAX}`,
  );
  for (const type of ['pk', 'sk'] as const) {
    const limit = settings.rateLimits[type];
    check(
      limit === null || (limit.perSecond > 0 && limit.perSecond <= 1e6 && limit.burst >= 1 && limit.burst <= 1e6),
      `rateLimits.${type}`,
      'must have perSecond above 0 and burst from 1, both up to 1000000',
    );
  }
  return settings.frameworks ? [...issues, ...issuesOfFrameworks(settings.frameworks)] : issues;
}

export function issuesOfKey(key: ApiKeyIssued['data']): Issue[] {
  const issues: Issue[] = [];
  if (key.name.length > 200) issues.push({ path: 'name', message: 'must have at most 200 characters' });
  if (!ONE_LINE.test(key.name)) issues.push({ path: 'name', message: `must be ${ONE_LINE_HINT}` });
  if (key.expiresAt !== null && key.expiresAt <= key.issuedAt)
    issues.push({ path: 'expiresAt', message: 'must be in the future' });
  if (key.scopes.length === 0) issues.push({ path: 'scopes', message: 'must name at least one scope' });
  key.scopes.forEach((scope, i) => {
    if (scope === EVERY_SCOPE) return;
    if (!isScope(scope)) issues.push({ path: `scopes[${i}]`, message: 'is not a scope' });
    else if (!canHold(key.type, scope))
      issues.push({ path: `scopes[${i}]`, message: 'cannot be held by a public key' });
  });
  if (key.allowedOrigins === null) return issues;
  if (key.type === 'sk')
    issues.push({ path: 'allowedOrigins', message: 'are for public keys; secret keys stay on servers' });
  return [...issues, ...issuesOfOrigins(key.allowedOrigins, 'allowedOrigins', key.env)];
}

export function issuesOfOrigins(origins: readonly string[], path: string, env: Environment): Issue[] {
  if (origins.length > LIST_MAX) return [{ path, message: `must have at most ${LIST_MAX} entries` }];
  return origins.flatMap((origin, i) =>
    isOrigin(origin, env)
      ? []
      : [
          {
            path: `${path}[${i}]`,
            message:
              'must be an exact https origin such as https://www.example.com, without a path; http only in test or for localhost',
          },
        ],
  );
}

const DOMAIN = /^(\*\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:[1-9]\d{1,4})?$/;
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
