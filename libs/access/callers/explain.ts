import { ENVIRONMENTS, isOnDomain, type Environment, type Instant } from '../../kernel/index.js';
import type { KnownKey } from '../sites/key-directory.js';
import { isOrigin } from './origin.js';
import { isLive, type SiteState } from '../state.js';

/** What is wrong with credentials that do not count here, judged by their form alone; undefined if the form is right. */
export function credentialsHint(header: string | undefined, wanted: 'key' | 'operator'): string | undefined {
  if (header === undefined) return undefined;
  const sent = header.trim();
  if (/^(pk|sk|op)_\S+$/.test(sent)) return `Write "Bearer " before it: Authorization: Bearer ${sent.slice(0, 3)}...`;
  const [, scheme, text = ''] = /^(\S+)(?: +(.*))?$/.exec(sent) ?? [];
  if (scheme?.toLowerCase() !== 'bearer') return 'Only the scheme Bearer is known: Authorization: Bearer <key>.';
  const is = sortOf(text);
  if (wanted === 'operator')
    return is === null || is === OPERATOR_TOKEN
      ? NO_TOKEN_OF_OURS
      : `This is ${is}; here an operator token is wanted, which begins with op_.`;
  if (is === null || is === API_KEY) return undefined;
  return `This is ${is}; send an API key of a site, which begins with pk_ or sk_.`;
}

const API_KEY = 'an API key of a site';
const OPERATOR_TOKEN = 'an operator token';
const NO_TOKEN_OF_OURS =
  'The operator token is mistyped, was revoked, has expired, or belongs to another installation. On the machine of the service see: assent operator-tokens list.';

/** The kind of credential, by its prefix. */
function sortOf(text: string): string | null {
  if (/^(pk|sk)_(test|live)_/.test(text)) return API_KEY;
  if (text.startsWith('op_')) return OPERATOR_TOKEN;
  if (/^key_|^opt_/.test(text)) return 'the id of a key, not the key itself';
  if (text.startsWith('whsec_')) return 'the secret of a webhook';
  if (/^[cu]ft_/.test(text)) return 'the token of a link';
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text) ? 'a JSON web token' : null;
}

/** Hint for a secret key that a browser sent. */
export const secretKeyHint = (fromOwnPage: boolean): string =>
  fromOwnPage
    ? 'The documentation takes secret keys of the environment test only, since every user of the page can read them: revoke this one if others could.'
    : 'A secret key was sent from a browser, where every user of the page can read it: revoke it, keep secret keys on servers and use a public key in pages.';

/** A scheme, a host and a port: all that a browser sends. Other texts are not repeated, least of all in a command. */
const ORIGIN = /^[a-z][a-z0-9+.-]{0,20}:\/\/[a-z0-9.:[\]-]{1,250}$/i;

const NO_ORIGIN =
  'The page has no origin (a file, a sandboxed frame or a redirect): serve it from an address of its own.';
const addOrigin = (origin: string, site: string, env: string): string =>
  `assent sites origins add ${origin} --site ${site} --env ${env}`;
/** Most commands that a hint proposes for one origin. */
const PROPOSED_MAX = 3;

/**
 * Hint for an origin that no site lists. The key is not known yet, so it proposes a command for each site and environment
 * with a public key: sites whose domain the page is on, else all sites. Null if the text is no origin.
 */
export function unlistedHint(origin: string, sites: readonly SiteState[], at: Instant): string | null {
  if (origin === 'null') return NO_ORIGIN;
  if (!ORIGIN.test(origin) || !isOrigin(origin, 'test')) return null;
  const lists = sites.flatMap((site) => environmentsFor(origin, site, at).map((env) => ({ site, env })));
  const onDomain = lists.filter(({ site }) =>
    site.settings.domains.some((domain) => isOnDomain(domain, new URL(origin))),
  );
  const meant = onDomain.length > 0 ? onDomain : lists;
  const commands =
    meant.length === 0 || meant.length > PROPOSED_MAX
      ? [addOrigin(origin, '<site>', isOrigin(origin, 'live') ? '<env>' : 'test')]
      : meant.map(({ site, env }) => addOrigin(origin, site.site!, env));
  return `An operator allows its pages with: ${commands.join('  or: ')}`;
}

/** Environments in which the site has a live public key without a list of its own, and in which the origin is allowed. */
const environmentsFor = (origin: string, { keys }: SiteState, at: Instant): Environment[] =>
  ENVIRONMENTS.filter(
    (env) =>
      isOrigin(origin, env) &&
      [...keys.values()].some(
        (key) => key.type === 'pk' && key.env === env && key.allowedOrigins === null && isLive(key, at),
      ),
  );

/** How to allow an origin, with the command. */
export function originHint(origin: string, { key, site }: KnownKey): string {
  const from = ORIGIN.test(origin) ? origin : '<origin>';
  if (origin === 'null') return NO_ORIGIN;
  return key.allowedOrigins === null
    ? `Pages of ${from} may not use the key. An operator allows them with: ${addOrigin(from, site.site!, key.env)}`
    : `Pages of ${from} may not use the key, which has a list of its own. An operator issues another with: assent keys issue --site ${site.site} --type pk --env ${key.env} --name <name> --origin ${[...key.allowedOrigins, from].join(' ')}`;
}
