import type { DomainEvent, Fold } from '../kernel/index.js';
import type { MergeConflict, MergeRule, SubjectMergeReverted, SubjectsMerged } from './events.js';
import { subjectFold, type SubjectSnapshot, type SubjectState } from './state.js';
import { standingOf, type Standed } from './standing.js';

/** What a context knows of a subject, as far as merging is concerned. Its fold follows the lifecycle events itself. */
export interface SubjectPart<S = unknown> {
  /** Under this name its state stands in `SubjectsMerged`; stored for ever. */
  name: string;
  fold: Fold<S, DomainEvent> & { on: readonly string[] };
  /** What is carried to the survivor: the state without its standing. */
  snapshot: (state: S) => unknown;
  /** On what the two differ, and whose value will stand. */
  conflicts: (target: { id: string; state: S }, source: { id: string; state: S }, rule: MergeRule) => MergeConflict[];
}

/** The same with its own types forgotten, as lists of parts hold it. */
export const definePart = <S, E extends DomainEvent>(
  part: Omit<SubjectPart<S>, 'fold'> & { fold: Fold<S, E> & { on: readonly E['type'][] } },
): SubjectPart => part as unknown as SubjectPart;

/** Everything about one subject, folded together: what a merge is decided on, at one revision. */
export interface WholeState extends Standed {
  subject: SubjectState;
  parts: Readonly<Record<string, unknown>>;
}

export type WholeFold = Fold<WholeState, DomainEvent> & { on: readonly string[] };

export function wholeFold(parts: readonly SubjectPart[]): WholeFold {
  return {
    on: [...new Set([...subjectFold.on, ...parts.flatMap(({ fold }) => fold.on)])],
    initial: () => ({
      subject: subjectFold.initial(),
      parts: Object.fromEntries(parts.map(({ name, fold }) => [name, fold.initial()])),
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
      };
    },
  };
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

/**
 * What a survivor's own events alone come to, without the merges in `excluded`. What a revert restored is left out too:
 * it is recomputed here, since it was made when other merges were still in force.
 */
export function foldWithout(
  whole: WholeFold,
  excluded: ReadonlySet<string>,
  events: Iterable<DomainEvent>,
): WholeState {
  let state = whole.initial();
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

/** The merges of which a state holds nothing any more, and the one that is about to go. */
export const excludedBy = (state: WholeState, mergeId: string): Set<string> =>
  new Set([...standingOf(state.subject).reverted, mergeId]);

export interface MergeFacts extends MergeRule {
  mergeId: string;
  survivorId: string;
  absorbedId: string;
  reason?: string;
}
