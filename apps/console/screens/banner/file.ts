import type { components } from '../../api/schema.js';
import type { Draft } from '../purposes/catalogue.js';

export type Shown = components['schemas']['BannerPreview'];
/** The banner file as it is being written: members may be missing or wrong. */
export type BannerFile = NonNullable<Draft['files']['banner']>;

/** What stands at a path of a file; undefined: nothing. */
export function valueAt(file: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    file,
  );
}

export function textAt(file: unknown, path: readonly string[]): string {
  const value = valueAt(file, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The file with a value put at a path; undefined takes out what was there. */
export function withValue<T extends object>(file: T, [name, ...rest]: readonly string[], value: unknown): T {
  const members = { ...file } as Record<string, unknown>;
  const inside = members[name!];
  const put = rest.length === 0 ? value : withValue((inside ?? {}) as object, rest, value);
  if (put === undefined) delete members[name!];
  else members[name!] = put;
  return members as T;
}

/** Languages that the banner's title has. */
export const localesOf = (file: BannerFile): string[] =>
  Object.keys((valueAt(file, ['presentations', 'optIn', 'title']) as object | undefined) ?? {});

/** A banner to begin with. */
export const firstBanner = (locale: string): BannerFile => ({
  defaultLocale: locale,
  layout: 'BOX',
  presentations: { optIn: { title: { [locale]: '' }, body: { [locale]: '' } } },
  labels: Object.fromEntries(
    ['acceptAll', 'rejectAll', 'customize', 'save'].map((name) => [name, { [locale]: '' }] as const),
  ),
});
