import type { Cause } from '../writer.js';

/** What the log holds of a whole request, so that the index of its keys can be built from it. */
export const ofRequest = (
  cause: Pick<Cause, 'actor' | 'requestId' | 'session' | 'request' | 'reservedFor'>,
  subjectId: string,
): Pick<Cause, 'actor' | 'requestId' | 'session' | 'request' | 'reservedFor'> => ({
  actor: cause.actor,
  requestId: cause.requestId,
  session: cause.session,
  request: cause.request,
  reservedFor: cause.request && reservedForOthers(cause, subjectId),
});

/** Whom the row of a key names, where that is another subject than the one that is written on. */
export const reservedForOthers = (
  { reservedFor }: Pick<Cause, 'reservedFor'>,
  subjectId: string,
): readonly string[] | undefined =>
  reservedFor && (reservedFor.length !== 1 || reservedFor[0] !== subjectId) ? reservedFor : undefined;
