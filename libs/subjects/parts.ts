import type { SubjectPart } from '../context/subject-part.js';
import type { DomainEvent } from '../kernel/index.js';
import type { MergeConflict, MergeRule, SubjectMergeReverted, SubjectsMerged } from './events.js';
export { definePart, type SubjectPart } from '../context/subject-part.js';
import type { SubjectFold } from './stream-fold.js';
import { subjectFold, type SubjectSnapshot, type SubjectState } from './state.js';
import { standingOf, type Standed } from './standing.js';

/** Everything about one subject, folded together: what a merge is decided on, at one revision. */
export interface WholeState extends Standed {
  subject: SubjectState;
  parts: Readonly<Record<string, unknown>>;
  /** Where the stream tells of each merge, by the merge's id: revisions of its events. */
  mergeRevisions: Readonly<Record<string, readonly number[]>>;
  /** Where it tells of the erasure; null before there is one. */
  erasureRevision: number | null;
}

/** An event that was read from a stream says where it stood. */
type PerhapsRead = DomainEvent & { revision?: number };
export type WholeFold = SubjectFold<WholeState, PerhapsRead>;

export function wholeFold(parts: readonly SubjectPart[]): WholeFold {
  return {
    on: [...new Set([...subjectFold.on, ...parts.flatMap(({ fold }) => fold.on)])],
    initial: () => ({
      subject: subjectFold.initial(),
      parts: Object.fromEntries(parts.map(({ name, fold }) => [name, fold.initial()])),
      mergeRevisions: {},
      erasureRevision: null,
    }),
    evolve: (state, event) => {
      const subject = (subjectFold.on as readonly string[]).includes(event.type)
        ? subjectFold.evolve(state.subject, event as never)
        : state.subject;
      return {
        subject,
        standing: standingOf(subject),
        parts: Object.fromEntries(
          parts.map(({ name, fold }) => [
            name,
            fold.on.includes(event.type) ? fold.evolve(state.parts[name], event) : state.parts[name],
          ]),
        ),
        mergeRevisions: noteMerge(state.mergeRevisions, event),
        erasureRevision: event.type === 'SubjectErased' ? (event.revision ?? null) : state.erasureRevision,
      };
    },
    keepsSealed: true,
    snapshots: {
      name: 'whole',
      version: ['1', subjectFold, ...parts.map(({ fold }) => fold)]
        .map((each) => (typeof each === 'string' ? each : (each.snapshots?.version ?? '')))
        .join('.'),
    },
  };
}

function noteMerge(known: WholeState['mergeRevisions'], event: PerhapsRead): WholeState['mergeRevisions'] {
  if (event.revision === undefined || (event.type !== 'SubjectsMerged' && event.type !== 'SubjectMergeReverted'))
    return known;
  const { mergeId } = (event as SubjectsMerged | SubjectMergeReverted).data;
  return { ...known, [mergeId]: [...(known[mergeId] ?? []), event.revision] };
}

/** What the absorbed subject brings to the survivor. */
export function carried(parts: readonly SubjectPart[], state: WholeState): Record<string, unknown> {
  const own: SubjectSnapshot = { restriction: state.subject.restriction };
  return {
    subject: own,
    ...Object.fromEntries(parts.map(({ name, snapshot }) => [name, snapshot(state.parts[name])])),
  };
}

export function conflictsOf(
  parts: readonly SubjectPart[],
  target: { id: string; state: WholeState },
  source: { id: string; state: WholeState },
  rule: MergeRule,
): MergeConflict[] {
  return parts.flatMap(({ name, conflicts }) =>
    conflicts(
      { id: target.id, state: target.state.parts[name] },
      { id: source.id, state: source.state.parts[name] },
      rule,
    ),
  );
}

/** A part of a subject's history: what it had come to, and the events since. */
export interface HistorySince {
  state: WholeState;
  events: Iterable<DomainEvent>;
}

/**
 * What a survivor's own events alone come to, without the merges in `excluded`, of which `state` holds nothing yet. What
 * a revert restored is left out too: it is recomputed here, since it was made when other merges were still in force.
 */
export function foldWithout(
  whole: WholeFold,
  excluded: ReadonlySet<string>,
  { state: before, events }: HistorySince,
): WholeState {
  let state = before;
  for (const event of events) {
    const lifecycle = event as SubjectsMerged | SubjectMergeReverted;
    const isOurs =
      (lifecycle.type === 'SubjectsMerged' || lifecycle.type === 'SubjectMergeReverted') &&
      lifecycle.data.role === 'SURVIVOR';
    if (isOurs && (lifecycle.type === 'SubjectMergeReverted' || excluded.has(lifecycle.data.mergeId))) continue;
    state = whole.evolve(state, event);
  }
  return state;
}

/** Revision of the first event on a stream that tells of one of these merges. */
export const firstOfMerges = (state: WholeState, mergeIds: ReadonlySet<string>): number =>
  Math.min(...[...mergeIds].flatMap((mergeId) => state.mergeRevisions[mergeId] ?? []));

/** The merges of which a state holds nothing any more, and the one that is about to go. */
export const excludedBy = (state: WholeState, mergeId: string): Set<string> =>
  new Set([...standingOf(state.subject).reverted, mergeId]);

export interface MergeFacts extends MergeRule {
  mergeId: string;
  survivorId: string;
  absorbedId: string;
  reason?: string;
}
