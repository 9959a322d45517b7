import { didYouMean, type Issue } from '../../kernel/index.js';

/** So many patterns an endpoint or a replay can name. */
export const PATTERNS_MAX = 50;
/** Every type there is and will be. */
export const EVERY_TYPE = '*';

/** Whether an event of this type is among those that the patterns name: `*`, `consent.*`, or the type itself. */
export const namesType = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(EVERY_TYPE) || patterns.includes(type) || patterns.includes(groupOf(type));

/** `consent.*` of `consent.granted`. */
const groupOf = (type: string): string => `${type.slice(0, type.indexOf('.'))}.*`;

/** What is wrong with patterns, at `path`; `known`: every type of the catalogue. */
export function issuesOfPatterns(patterns: readonly string[], known: readonly string[], path: string): Issue[] {
  const named = new Set([EVERY_TYPE, ...known, ...known.map(groupOf)]);
  return patterns.flatMap((pattern, i) => {
    if (!named.has(pattern))
      return [{ path: `${path}[${i}]`, message: `is no type of event${didYouMean(pattern, named)}` }];
    return patterns.indexOf(pattern) === i ? [] : [{ path: `${path}[${i}]`, message: 'stands twice' }];
  });
}
