import type { Asked, Before, JournalSource, JournalWanted, Placed } from './sources.js';

/** Rows of one source that a page looks at where no index knows all conditions: what a page costs at most. */
export const LOOKED_AT_MAX = 1_000;

/** Where a page stopped: the source counts among those with the same `at`. */
export interface JournalPlace {
  at: string;
  source: number;
  key: string;
}

/** A row, and which source it is from. */
export interface Found<R extends Placed = Placed> extends JournalPlace {
  row: R;
}

/** Newest first; then by source; then the greatest key first. */
const order = (a: JournalPlace, b: JournalPlace): number =>
  compared(b.at, a.at) || a.source - b.source || compared(b.key, a.key);
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The next rows of all sources in one order, each once. `next`: where to go on; null: there is no more. A page may hold
 * fewer than asked for although there is more: it has then looked at enough rows that did not meet the conditions.
 */
export async function pageOfSources(
  sources: readonly JournalSource[],
  wanted: JournalWanted,
  after: JournalPlace | null,
  limit: number,
  lookedAtMax = LOOKED_AT_MAX,
): Promise<{ found: Found[]; next: JournalPlace | null }> {
  const looked = await Promise.all(
    sources.map((source, number) => lookedAt(source, number, wanted, after, [limit + 1, lookedAtMax])),
  );
  const stopped = looked.flatMap(({ through }) => through ?? []).sort(order)[0];
  // Behind the place where one of them stopped, there may be more of it.
  const found = looked
    .flatMap(({ rows }) => rows)
    .filter((row) => stopped === undefined || order(row, stopped) <= 0)
    .sort(order);
  const shown = found.slice(0, limit);
  if (found.length > limit) {
    const { at, source, key } = shown.at(-1)!;
    return { found: shown, next: { at, source, key } };
  }
  return { found: shown, next: stopped ?? null };
}

/** Rows of one source that are wanted. `through`: where it stopped although there may be more. */
async function lookedAt(
  source: JournalSource,
  number: number,
  wanted: JournalWanted,
  after: JournalPlace | null,
  [count, lookedAtMax]: [number, number],
): Promise<{ rows: Found[]; through: JournalPlace | null }> {
  if (!mayHold(source, wanted)) return { rows: [], through: null };
  const asked = indexOf(source, wanted);
  const limit = asked.isExact ? count : Math.max(count, lookedAtMax);
  const rows = await source.rows({
    ...asked,
    from: wanted.from ?? '-infinity',
    before: earlier(beforeOf(number, after), wanted.to),
    limit,
  });
  const placed = rows.map((row): Found => ({ at: row.at, source: number, key: row.key, row }));
  const through = rows.length < limit ? null : placed.at(-1)!;
  return {
    rows: placed.filter(({ row }) => isWanted(row, wanted)),
    through: through && { at: through.at, source: number, key: through.key },
  };
}

const mayHold = ({ actions, isOfSites }: JournalSource, { action, site, env, places }: JournalWanted): boolean =>
  (action === null || actions === null || actions.includes(action)) &&
  (isOfSites || (site === null && env === null && places.some((place) => place.startsWith('*/'))));

/** By what the source is asked; `isExact`: every row that it answers is wanted. */
function indexOf(
  { actions }: JournalSource,
  { operator, site, env, action, places }: JournalWanted,
): Pick<Asked, 'operator' | 'sites' | 'action'> & { isExact: boolean } {
  const reached = sitesOf(places);
  const sites = site === null ? reached : [site];
  // A source of one action alone need not look for it.
  const byAction = action !== null && actions?.length !== 1 ? action : null;
  const isEverywhere = reached === null && places.some((place) => place === '*/test') && places.includes('*/live');
  if (operator !== null)
    return { operator, sites: null, action: null, isExact: isEverywhere && !(site ?? env ?? byAction) };
  if (sites !== null) return { operator: null, sites, action: null, isExact: isEverywhere && !(env ?? byAction) };
  return { operator: null, sites: null, action: byAction, isExact: isEverywhere && env === null };
}

/** Sites of the places; null: every site. */
const sitesOf = (places: readonly string[]): string[] | null => {
  const sites = new Set(places.map((place) => place.split('/')[0]!));
  return sites.has('*') ? null : [...sites];
};

/** Of rows with one `at`, those of the sources before stand before those of the sources behind. */
function beforeOf(number: number, after: JournalPlace | null): Before {
  if (after === null) return { at: 'infinity', key: '~' };
  const { at, source, key } = after;
  return { at, key: source === number ? key : source < number ? '~' : '' };
}

/** `to` is exclusive. */
const earlier = (before: Before, to: string | null): Before =>
  to !== null && (before.at === 'infinity' || to <= before.at) ? { at: to, key: '' } : before;

export function isWanted(row: Placed, { operator, site, env, action, from, to, places }: JournalWanted): boolean {
  return (
    (operator === null || row.operator === operator) &&
    (action === null || row.action === action) &&
    (site === null || row.site === site) &&
    // What concerns a site as a whole concerns each of its environments.
    (env === null || (row.site !== null && (row.env === null || row.env === env))) &&
    (from === null || row.at >= from) &&
    (to === null || row.at < to) &&
    places.some((place) => {
      const [in_, of] = place.split('/');
      return (in_ === '*' || in_ === row.site) && (row.env === null || row.env === of);
    })
  );
}
