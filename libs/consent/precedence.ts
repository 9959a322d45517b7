import type { Instant } from '../kernel/index.js';
import type { Source } from './events.js';

/** A grant without a date that stands: against refusals only the newest dated grant beneath it counts. Null: there is none. */
export interface Undated {
  above: Instant | null;
}

/** Something that was said, as far as its place among others goes. */
interface Saying<U extends true | Undated> {
  /** When it was recorded, where it has no date. */
  givenAt: Instant;
  refusing: boolean;
  source: Source;
  undated?: U;
}

/** Something that is said. `undated`: an import or a migration that does not say when it was given. */
export type Said = Saying<true>;
/** What was said and stands. A refusal is never marked: an undated one counts as of its recording. */
export type Stands = Saying<Undated>;

export const SOURCE_RANK: Record<Source, number> = { API: 2, IMPORT: 1, MIGRATION: 0 };

/** Whether a claim says nothing of when it was given. A subject's own decision is one of now. */
export const isUndated = ({ source, givenAt }: { source: Source; givenAt?: Instant }): boolean =>
  source !== 'API' && givenAt === undefined;

/**
 * Whether something said stands above what stands now. An undated claim of a third party never stands above a refusal,
 * whichever of the two comes first. Else by givenAt; at equal times a refusal beats a grant; then source API > IMPORT >
 * MIGRATION; then the later in the stream.
 */
export function standsAbove(next: Said, current: Stands | null | undefined): boolean {
  if (!current) return true;
  if (next.undated && current.refusing) return false;
  if (next.refusing && current.undated) return next.givenAt >= (current.undated.above ?? next.givenAt);
  if (next.givenAt !== current.givenAt) return next.givenAt > current.givenAt;
  if (next.refusing !== current.refusing) return next.refusing;
  return SOURCE_RANK[next.source] >= SOURCE_RANK[current.source];
}

/** How what is said is marked once it stands above something that is no refusal. */
export const markOf = (next: Said, beneath: Stands | null | undefined): { undated?: Undated } =>
  next.undated && !next.refusing ? { undated: { above: beneath ? datedGrant(beneath) : null } } : {};

/** What stands, with what was said beneath it: a dated grant counts under an undated one also where it comes later. */
export function restingOn<S extends { undated?: Undated }>(stands: S, beneath: Said | Stands): S {
  const dated = datedGrant(beneath);
  if (!stands.undated || dated === null || dated <= (stands.undated.above ?? '')) return stands;
  return { ...stands, undated: { above: dated } };
}

/** As of when what stands counts where two persons become one. */
export const datedThrough = ({ undated, givenAt }: Pick<Stands, 'undated' | 'givenAt'>): Instant | '' =>
  undated ? (undated.above ?? '') : givenAt;

function datedGrant({ refusing, undated, givenAt }: Said | Stands): Instant | null {
  if (refusing || undated === true) return null;
  return undated ? undated.above : givenAt;
}
