import { ENVIRONMENTS, SITE_PATTERN, type Environment } from '../kernel/index.js';

/**
 * How the streams of a context are named: `<name>-<site>.<env>`, `<name>-<site>` or `<name>`. An export of one site finds
 * them by that, and on an EventStoreDB that is shared every other stream belongs to another application.
 */
export interface StreamKind {
  /** No two kinds have one. */
  name: string;
  /** ENVIRONMENT: one site in one environment. SITE: both environments of a site. INSTALLATION: all sites. */
  of: 'ENVIRONMENT' | 'SITE' | 'INSTALLATION';
  /** What each is about, where there are many: after a dot, or after a hyphen where they are of the installation. */
  about?: RegExp;
}

/** Whom a stream is about, as far as its name says it. */
export interface StreamOwner {
  site: string;
  /** Null: the site as a whole. */
  env: Environment | null;
}

const SITE = `(${SITE_PATTERN.source.replace(/^\^|\$$/g, '')})`;
const ENV = `(${ENVIRONMENTS.join('|')})`;

/** What every name of a kind matches, as a whole: the site is its first group, the environment its second. */
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

/** Whom a stream is about; null where it is of none of these kinds, or of the installation. */
export function ownerOf(kinds: readonly StreamKind[], stream: string): StreamOwner | null {
  for (const kind of kinds) {
    if (kind.of === 'INSTALLATION' || !stream.startsWith(`${kind.name}-`)) continue;
    const [, site, env] = new RegExp(`^${patternOf(kind)}$`).exec(stream) ?? [];
    if (site !== undefined) return { site, env: kind.of === 'SITE' ? null : (env as Environment) };
  }
  return null;
}

/** What the names of all streams of a site begin with, or of one environment of it. Streams of other sites may too. */
export const prefixesOf = (kinds: readonly StreamKind[], site: string, env: Environment | null): string[] =>
  kinds.flatMap(({ name, of }) => {
    if (of === 'INSTALLATION') return [];
    return of === 'SITE' ? [`${name}-${site}`] : (env ? [env] : ENVIRONMENTS).map((each) => `${name}-${site}.${each}`);
  });
