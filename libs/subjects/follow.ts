import { standingOf, type Standed, type Standing } from './standing.js';

/** Longest chain of merges that is followed; more is a bug. */
const MOST_HOPS = 100;

export interface Step<S> {
  subjectId: string;
  state: S;
}

export type Followed<S> =
  | {
      /** The subject that speaks for all of them, and its state. */
      root: Step<S>;
      /** From the one that was asked for to the last closed one before the root. */
      path: Step<S>[];
    }
  /** Two merges ran into each other: this one gives way. */
  | { void: { subjectId: string; mergeId: string } };

/**
 * From a subject to the one it was merged into, and on. Merges of A into B and of B into A at the same time can close
 * both: then the younger of the two does not count, which everybody who looks finds out alike.
 */
export async function follow<S extends Standed>(subjectId: string, load: (subjectId: string) => Promise<S>): Promise<Followed<S>> {
  const path: Step<S>[] = [];
  for (let at = subjectId; path.length <= MOST_HOPS; ) {
    const cycle = path.findIndex((step) => step.subjectId === at);
    if (cycle >= 0) return { void: youngest(path.slice(cycle)) };
    const state = await load(at);
    const { merged } = standingOf(state);
    if (!merged) return { root: { subjectId: at, state }, path };
    path.push({ subjectId: at, state });
    at = merged.into;
  }
  throw new Error(`more than ${MOST_HOPS} merges from ${subjectId}`);
}

/** The same for who only reads: the subject whose merge does not count is the one that speaks. */
export async function followToRead<S extends Standed>(subjectId: string, load: (subjectId: string) => Promise<S>): Promise<{ root: Step<S>; path: Step<S>[] }> {
  const followed = await follow(subjectId, load);
  if (!('void' in followed)) return followed;
  const { subjectId: spared } = followed.void;
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
export async function seek<S extends Standed, T>(subjectId: string, look: (subjectId: string) => Promise<{ state: S; found: T | null }>): Promise<T | null> {
  const seen = new Set<string>();
  for (const next = [subjectId]; next.length > 0; ) {
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

function youngest(ring: Step<Standed>[]): { subjectId: string; mergeId: string } {
  const merges = ring.map(({ subjectId, state }) => ({ subjectId, mergeId: standingOf(state).merged!.mergeId }));
  return merges.reduce((a, b) => (a.mergeId > b.mergeId ? a : b));
}

/** What became of a closed subject's merge further up: its state arrived, or the merge was reverted there; or neither yet. */
export function arrival<S extends Standed>(mergeId: string, absorbedId: string, above: readonly Step<S>[]): { at: Step<S>; what: 'absorbed' | 'reverted' } | null {
  for (const step of above) {
    const { absorbed, reverted }: Standing = standingOf(step.state);
    if (absorbed.some((each) => each.mergeId === mergeId && each.subjectId === absorbedId)) return { at: step, what: 'absorbed' };
    if (reverted.includes(mergeId)) return { at: step, what: 'reverted' };
  }
  return null;
}
