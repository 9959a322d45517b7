import { ENVIRONMENTS, SITE_PATTERN, type Environment } from '../kernel/index.js';

/**
 * How the streams of a context are named: `<name>-<site>.<env>`, `<name>-<site>` or `<name>`. An export of one site finds
 * its streams by these names. On a shared EventStoreDB every other stream belongs to another application.
 */
export interface StreamKind {
  /** Unique among all kinds. */
  name: string;
  /** ENVIRONMENT: one site in one environment. SITE: both environments of a site. INSTALLATION: all sites. */
  of: 'ENVIRONMENT' | 'SITE' | 'INSTALLATION';
  /** Pattern of the last part of the name, where there are many: after a dot, or after a hyphen for INSTALLATION. */
  about?: RegExp;
}

/** Site and environment of a stream, by its name. */
export interface StreamOwner {
  site: string;
  /** Null: the site as a whole. */
  env: Environment | null;
}

const SITE = `(${SITE_PATTERN.source.replace(/^\^|\$$/g, '')})`;
const ENV = `(${ENVIRONMENTS.join('|')})`;

/** The pattern of all names of a kind: the site is its first group, the environment its second. */
function patternOf({ name, of, about }: StreamKind): string {
  const rest = about?.source.replace(/^\^|\$$/g, '');
  if (of === 'SITE') return `${name}-${SITE}`;
  if (of === 'ENVIRONMENT') return `${name}-${SITE}\\.${ENV}${rest === undefined ? '' : `\\.${rest}`}`;
  return rest === undefined ? name : `${name}-${rest}`;
}

/** Tells the streams of these kinds from all others. */
export function ownStreams(kinds: readonly StreamKind[]): (stream: string) => boolean {
  const own = new RegExp(`^(?:${kinds.map(patternOf).join('|')})$`);
  return (stream) => own.test(stream);
}

/** Site and environment of a stream; null where it is of none of these kinds, or of the installation. */
export function ownerOf(kinds: readonly StreamKind[], stream: string): StreamOwner | null {
  for (const kind of kinds) {
    if (kind.of === 'INSTALLATION' || !stream.startsWith(`${kind.name}-`)) continue;
    const [, site, env] = new RegExp(`^${patternOf(kind)}$`).exec(stream) ?? [];
    if (site !== undefined) return { site, env: kind.of === 'SITE' ? null : (env as Environment) };
  }
  return null;
}

/** Prefixes of all streams of a site, or of one environment of it. Streams of other sites may have them too. */
export const prefixesOf = (kinds: readonly StreamKind[], site: string, env: Environment | null): string[] =>
  kinds.flatMap(({ name, of }) => {
    if (of === 'INSTALLATION') return [];
    return of === 'SITE' ? [`${name}-${site}`] : (env ? [env] : ENVIRONMENTS).map((each) => `${name}-${site}.${each}`);
  });
