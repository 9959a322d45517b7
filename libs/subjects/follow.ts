import { standingOf, type Standed } from './standing.js';

/** Longest chain of merges that is followed; more is a bug. */
const MOST_HOPS = 100;

export interface Step<S> {
  subjectId: string;
  state: S;
}

/** A merge on its way: from the subject that it has closed to the one that is to be notified. */
export interface Edge {
  mergeId: string;
  absorbedId: string;
  survivorId: string;
}

export type Followed<S> =
  | {
      /** The subject that speaks for all of them, and its state. Where it is closed still, its survivor has let it go. */
      root: Step<S>;
      /** From the one that was asked for to the last closed one before the root. */
      path: Step<S>[];
    }
  /** Merges ran into each other: this one gives way. */
  | { void: Edge };

/**
 * From a subject to the one it was merged into, and on. Merges of A into B and of B into A at the same time can close
 * both: then the youngest that has not arrived yet does not count, which everybody who looks finds out alike.
 */
export async function follow<S extends Standed>(
  subjectId: string,
  load: (subjectId: string) => Promise<S>,
): Promise<Followed<S>> {
  const path: Step<S>[] = [];
  for (let at = subjectId; path.length <= MOST_HOPS;) {
    const cycle = path.findIndex((step) => step.subjectId === at);
    const state = cycle < 0 ? await load(at) : path[cycle]!.state;
    const below = path.at(-1);
    if (below && isLetGo(below, state)) return { root: below, path: path.slice(0, -1) };
    if (cycle >= 0) return { void: youngest(path.slice(cycle)) };
    const { merged } = standingOf(state);
    if (!merged) return { root: { subjectId: at, state }, path };
    path.push({ subjectId: at, state });
    at = merged.into;
  }
  throw new Error(`more than ${MOST_HOPS} merges from ${subjectId}`);
}

/** The same for who only reads: the subject whose merge does not count is the one that speaks. */
export async function followToRead<S extends Standed>(
  subjectId: string,
  load: (subjectId: string) => Promise<S>,
): Promise<{ root: Step<S>; path: Step<S>[] }> {
  const followed = await follow(subjectId, load);
  if (!('void' in followed)) return followed;
  const { absorbedId: spared } = followed.void;
  const again = await follow(subjectId, async (id) => {
    const state = await load(id);
    return id === spared ? { ...state, standing: { ...standingOf(state), merged: null } } : state;
  });
  if ('void' in again) throw new Error(`merges around ${subjectId} form more than one ring`);
  return again;
}

/**
 * The first find on the subject itself, on one that it belongs to, or on one it once belonged to: where what was
 * recorded in its name may stand.
 */
export async function seek<S extends Standed, T>(
  subjectId: string,
  look: (subjectId: string) => Promise<{ state: S; found: T | null }>,
): Promise<T | null> {
  const seen = new Set<string>();
  for (const next = [subjectId]; next.length > 0;) {
    const at = next.shift()!;
    if (seen.has(at)) continue;
    seen.add(at);
    const { state, found } = await look(at);
    if (found !== null) return found;
    const { merged, formerly } = standingOf(state);
    next.push(...(merged ? [merged.into] : []), ...formerly);
  }
  return null;
}

function youngest(ring: Step<Standed>[]): Edge {
  const edges = ring.map((step, i) => ({ edge: edgeOf(step), survivor: ring[(i + 1) % ring.length]!.state }));
  const pending = edges.filter(
    ({ edge: { mergeId, absorbedId }, survivor }) => outcomeOf(mergeId, absorbedId, survivor) === null,
  );
  // Read at different moments, they may look as if all had arrived.
  return (pending.length > 0 ? pending : edges)
    .map(({ edge }) => edge)
    .reduce((a, b) => (a.mergeId > b.mergeId ? a : b));
}

/** What became of a merge on the stream of its survivor, which alone decides it; null where it is still on its way. */
export function outcomeOf(
  mergeId: string,
  absorbedId: string,
  survivor: Standed,
): 'absorbed' | 'reverted' | 'declined' | null {
  const { absorbed, reverted, declined } = standingOf(survivor);
  const isIt = (each: { mergeId: string; subjectId: string }): boolean =>
    each.mergeId === mergeId && each.subjectId === absorbedId;
  if (absorbed.some(isIt)) return 'absorbed';
  if (reverted.includes(mergeId)) return 'reverted';
  return declined.some(isIt) ? 'declined' : null;
}

/** The same on a path that was followed; `above`: what comes next on it, the survivor first. */
export const arrival = (
  mergeId: string,
  absorbedId: string,
  above: readonly Step<Standed>[],
): ReturnType<typeof outcomeOf> => outcomeOf(mergeId, absorbedId, above[0]!.state);

/** Whether a closed subject is its own again, although no event has opened it yet. */
function isLetGo(closed: Step<Standed>, survivor: Standed): boolean {
  const outcome = outcomeOf(edgeOf(closed).mergeId, closed.subjectId, survivor);
  return outcome === 'reverted' || outcome === 'declined';
}

/** The merge that has closed a subject. */
export const edgeOf = ({ subjectId, state }: Step<Standed>): Edge => {
  const { mergeId, into } = standingOf(state).merged!;
  return { mergeId, absorbedId: subjectId, survivorId: into };
};
