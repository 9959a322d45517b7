import { refusal, type Refusal } from '../kernel/index.js';

export const dataRequestRefusals = {
  notFound: (): Refusal =>
    refusal(
      'data_request_not_found',
      'There is no data request with this id.',
      'List them with GET /v1/data-requests, with a key of the same site and environment.',
    ),
  contended: (): Refusal =>
    refusal(
      'state_conflict',
      'Others kept changing this data request at the same time.',
      'Read it and repeat what is still to be done; nothing was recorded.',
    ),
  /** `action`: as a participle, `started`. */
  notNow: (state: string, action: string): Refusal =>
    refusal(
      'state_conflict',
      `A data request that is ${state} cannot be ${action}.`,
      'Read the request: its state says what can be done next.',
      [{ path: 'state', message: `is ${state}` }],
    ),
  notVerified: (action: string): Refusal =>
    refusal(
      'state_conflict',
      `A data request of this type cannot be ${action} before it is known that the subject sent it.`,
      'Verify the request first with POST /v1/data-requests/{id}/verify, or reject it as INSUFFICIENT_VERIFICATION.',
      [{ path: 'verification', message: 'is not there yet' }],
    ),
  beingCompleted: (): Refusal =>
    refusal('state_conflict', 'The data request is just being completed.', 'Read it again after a few seconds.', [
      { path: 'state', message: 'is about to change' },
    ]),
  completionStopped: (): Refusal =>
    refusal(
      'state_conflict',
      'The completion that was under way could not be carried out.',
      'Ask what stands against it with POST /v1/data-requests/{id}/plan, then complete it again.',
      [{ path: 'state', message: 'is as it was before' }],
    ),
  tooManyNotes: (most: number): Refusal =>
    refusal(
      'state_conflict',
      `A data request holds at most ${most} notes.`,
      'Keep longer correspondence in your own system, and note where it is.',
      [{ path: 'notes', message: 'are as many as there may be' }],
    ),
  extendedBefore: (): Refusal =>
    refusal(
      'state_conflict',
      'The period of this data request was extended before.',
      'Answer it by its date; a period is extended once.',
      [{ path: 'extendedDueAt', message: 'is set' }],
    ),
  notExtendable: (): Refusal =>
    refusal(
      'state_conflict',
      'The law of the place knows no extension of this period.',
      'Answer the request by its date, or reject it and say why.',
      [{ path: 'extendedDueAt', message: 'cannot be set' }],
    ),
  extendedTooLate: (): Refusal =>
    refusal(
      'state_conflict',
      'The period is over and can no longer be extended.',
      'Answer the request now: the requester must hear of an extension before the first period ends.',
      [{ path: 'dueAt', message: 'lies in the past' }],
    ),
  receivedInFuture: (): Refusal =>
    refusal(
      'timestamp_in_future',
      'The data request would come in later than now.',
      'Leave receivedAt out, or send when the request came in.',
      [{ path: 'receivedAt', message: 'lies in the future' }],
    ),
  evidenceMissing: (): Refusal =>
    refusal(
      'validation_failed',
      'A requester who acts for the subject needs evidence for it.',
      'Name the mandate or proof of custody in requester.evidence: a reference to the document, not the document.',
      [{ path: 'requester.evidence', message: 'is required of an agent or guardian' }],
    ),
  duplicateOfItself: (): Refusal =>
    refusal(
      'validation_failed',
      'A data request is no duplicate of itself.',
      'Send the id of the request that is answered instead.',
      [{ path: 'duplicateOf', message: 'is this request' }],
    ),
  duplicateOfOther: (): Refusal =>
    refusal(
      'validation_failed',
      'The data requests are not about the same thing.',
      'Send the id of a request of the same subject and type.',
      [{ path: 'duplicateOf', message: 'is no request of the same subject and type' }],
    ),
  correctionsNotTaken: (): Refusal =>
    refusal('validation_failed', 'Only a RECTIFICATION takes corrections.', 'Leave corrections out.', [
      { path: 'corrections', message: 'is not taken by this type' },
    ]),
  noArchive: (): Refusal =>
    refusal(
      'state_conflict',
      'The data request has no archive.',
      'Only a completed request of the type ACCESS or PORTABILITY has one: complete it first.',
      [{ path: 'effect', message: 'is no ARCHIVE' }],
    ),
  archiveGone: (): Refusal =>
    refusal(
      'state_conflict',
      'The archive of this data request is no longer kept.',
      'It is kept for 30 days. Open another request of the same type and complete it.',
      [{ path: 'effect.archive', message: 'was deleted' }],
    ),
  linkInvalid: (): Refusal =>
    refusal(
      'token_invalid',
      'The link to an archive is not valid.',
      'It is incomplete, or was replaced by a newer one: ask the sender for another.',
    ),
  linkUsed: (): Refusal =>
    refusal(
      'token_used',
      'The archive was fetched with this link before.',
      'A link works once: ask the sender for another, and say so where it was not you.',
    ),
  linkExpired: (): Refusal =>
    refusal('token_expired', 'The link to the archive has expired.', 'Ask the sender for another.'),
  subjectErased: (): Refusal =>
    refusal(
      'subject_erased',
      'The subject of this data request was erased.',
      'Nothing can be written about the subject any more: send no note, and cancel the request.',
      [{ path: 'note', message: 'cannot be kept any more' }],
    ),
} as const;
