/** An entry of the site's list of cookies, as `GET /v1/cookies` answers it. */
export interface Listed {
  name: string;
  match: 'EXACT' | 'PREFIX' | 'GLOB';
  /** `COOKIE`, `LOCAL_STORAGE` and so on. */
  technology: string;
  purposeKeys: readonly string[];
  path: string;
}

/** Those of the names that a browser shows that an entry is about. GLOB: `*` stands for any characters. */
export function namesOf({ name, match }: Pick<Listed, 'name' | 'match'>, names: readonly string[]): string[] {
  if (match === 'EXACT') return names.filter((each) => each === name);
  if (match === 'PREFIX') return names.filter((each) => each.startsWith(name));
  const parts = name.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return names.filter((each) => pattern.test(each));
}

/** A host, and every domain above it that can have cookies: `a.b.example` → itself, `b.example`, `example`. */
export const domainsOf = (host: string): string[] =>
  /^[\d.]+$|:/.test(host) ? [host] : host.split('.').map((_, i, labels) => labels.slice(i).join('.'));

/** A path and every path above it: browsers show a cookie of each of them. */
export function pathsOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  const above = segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}`);
  return ['/', ...above.flatMap((each) => [each, `${each}/`])];
}
