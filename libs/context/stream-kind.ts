import { ENVIRONMENTS, type Environment } from '../kernel/index.js';

/**
 * How the streams of a context are named: `<name>-<site>.<env>`, and after another dot what each is about; or
 * `<name>-<site>`. An export of one site finds them by that.
 */
export interface StreamKind {
  /** Before the first hyphen; no two kinds have one. */
  name: string;
  /** ENVIRONMENT: one site in one environment. SITE: both environments of a site. */
  of: 'ENVIRONMENT' | 'SITE';
}

/** Whom a stream is about, as far as its name says it. */
export interface StreamOwner {
  site: string;
  /** Null: the site as a whole. */
  env: Environment | null;
}

const NAME = /^([a-z]+)-([a-z][a-z0-9-]*)(?:\.([a-z]+)(?:\..+)?)?$/;

/** Whom a stream is about; null where it is of none of these kinds. */
export function ownerOf(kinds: readonly StreamKind[], stream: string): StreamOwner | null {
  const [, name, site, of] = NAME.exec(stream) ?? [];
  const kind = kinds.find((each) => each.name === name);
  if (!kind || site === undefined) return null;
  if (kind.of === 'SITE') return of === undefined ? { site, env: null } : null;
  const env = ENVIRONMENTS.find((each) => each === of);
  return env ? { site, env } : null;
}

/** What the names of all streams of a site begin with, or of one environment of it. Streams of other sites may too. */
export const prefixesOf = (kinds: readonly StreamKind[], site: string, env: Environment | null): string[] =>
  kinds.flatMap(({ name, of }) =>
    of === 'SITE' ? [`${name}-${site}`] : (env ? [env] : ENVIRONMENTS).map((each) => `${name}-${site}.${each}`),
  );
