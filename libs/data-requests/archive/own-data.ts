import type { PersonEvent } from '../../subject-archive/index.js';
import type { Instant } from '../../kernel/index.js';
import type { DataRequestView } from '../view.js';

/** What is told of a merge: who belonged to whom, and when. */
interface ToldMerge {
  mergeId: string;
  /** Ids of the subject, and of those that are still merged with it. */
  subjects: string[];
  at: Instant;
}

/**
 * What an event says of the subject itself. Events of a merge carry what was known of both sides, and after it was taken
 * back one of them is somebody else again; what there is to know of the subject stands in its own events.
 */
export function ownData({ type, data }: PersonEvent, family: readonly string[]): PersonEvent['data'] | ToldMerge {
  switch (type) {
    case 'SubjectsMerged':
      return toldMerge(data.mergeId, [data.survivorId, data.absorbedId], data.mergedAt, family);
    case 'SubjectMergeReverted':
      return toldMerge(data.mergeId, [data.survivorId, ...data.absorbedIds], data.revertedAt, family);
    default:
      return data;
  }
}

const toldMerge = (mergeId: string, ids: readonly string[], at: Instant, family: readonly string[]): ToldMerge => ({
  mergeId,
  subjects: ids.filter((id) => family.includes(id)),
  at,
});

/** A request without the notes of whoever works on it, which may be about others. */
export function ownRequest({ note: _, ...request }: DataRequestView): Omit<DataRequestView, 'note'> {
  return request;
}

/** How an operator is named. */
export const OPERATOR = 'operator';

/** By which key it was read; of operators, that it was one of them: their names are theirs (CJEU C-579/21). */
export const ownReader = (reader: string): string => (reader.startsWith('key_') ? reader : OPERATOR);
