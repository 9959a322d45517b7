import type { Instant } from '../kernel/index.js';
import type { LifecycleEvent, MergeRule } from './events.js';

/**
 * Where a subject stands among others. Every context keeps it beside its own state, so that a reader of the state sees
 * whether it still speaks for the subject. Absent means: a subject of its own, like nearly all.
 */
export interface Standing {
  /** The survivor of the merge that closed it. */
  merged: ({ into: string; mergeId: string } & MergeRule) | null;
  /** Survivors that it belonged to until the merge was reverted: what was recorded meanwhile stands there. */
  formerly: readonly string[];
  /** What it has absorbed, each with all that came along. */
  absorbed: readonly { mergeId: string; subjectId: string; family: readonly string[] }[];
  /** Merges into it that were reverted. */
  reverted: readonly string[];
  /** What was on its way here when it was closed itself: never to arrive. */
  declined: readonly { mergeId: string; subjectId: string }[];
  erasedAt: Instant | null;
}

export const ON_ITS_OWN: Standing = {
  merged: null,
  formerly: [],
  absorbed: [],
  reverted: [],
  declined: [],
  erasedAt: null,
};

/** State of any context about one subject. */
export interface Standed {
  standing?: Standing;
}

export const standingOf = (state: Standed): Standing => state.standing ?? ON_ITS_OWN;

/** Whether its stream takes nothing more that is recorded: it was merged into another subject, or erased. */
export const isClosed = (state: Standed): boolean =>
  standingOf(state).merged !== null || standingOf(state).erasedAt !== null;

/** Every subject whose history reads as part of this one, itself not counted. */
export const familyOf = ({ absorbed }: Standing): string[] => absorbed.flatMap(({ family }) => family);

export function evolveStanding(standing: Standing, event: LifecycleEvent): Standing {
  const { data } = event;
  switch (event.type) {
    case 'SubjectsMerged': {
      const { role, mergeId, survivorId, absorbedId, policy, carryOver, mergedAt, family = [] } = event.data;
      if (role === 'ABSORBED')
        return { ...standing, merged: { into: survivorId, mergeId, policy, carryOver, mergedAt } };
      return { ...standing, absorbed: [...standing.absorbed, { mergeId, subjectId: absorbedId, family }] };
    }
    case 'SubjectMergeReverted': {
      const { mergeId, survivorId, absorbedIds, cause } = event.data;
      if (event.data.role === 'ABSORBED')
        return {
          ...standing,
          merged: null,
          formerly: cause === 'VOID' ? standing.formerly : [...standing.formerly, survivorId],
        };
      if (cause === 'VOID')
        return {
          ...standing,
          declined: [...standing.declined, ...absorbedIds.map((subjectId) => ({ mergeId, subjectId }))],
        };
      return {
        ...standing,
        absorbed: standing.absorbed.filter((each) => each.mergeId !== mergeId),
        reverted: [...standing.reverted, mergeId],
      };
    }
    case 'SubjectErased':
      return { ...standing, erasedAt: (data as { erasedAt: Instant }).erasedAt };
  }
}
