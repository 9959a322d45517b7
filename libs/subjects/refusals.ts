import { refusal, type Refusal } from '../kernel/index.js';

export const subjectRefusals = {
  notFound: (path = 'subject'): Refusal =>
    refusal(
      'subject_not_found',
      'No subject is known by that reference here.',
      'Check the reference and the environment of the key, or use another reference of the subject.',
      [{ path, message: 'names no subject' }],
    ),
  mergeNotFound: (): Refusal =>
    refusal(
      'subject_not_found',
      'No merge has that id here.',
      'Send the mergeId that POST /v1/subjects/merge answered, with a key of the same site and environment.',
      [{ path: 'mergeId', message: 'names no merge' }],
    ),
  erased: (): Refusal =>
    refusal(
      'subject_erased',
      'The subject was erased.',
      'Stop using this id; a reference such as an e-mail address starts a new subject.',
      [{ path: 'subject', message: 'was erased' }],
    ),
  contended: (): Refusal =>
    refusal(
      'state_conflict',
      'Others kept changing this subject at the same time.',
      'Repeat the request; nothing was recorded.',
    ),
  identifierConflict: (path: string): Refusal =>
    refusal(
      'identifier_conflict',
      'The identifiers belong to different subjects.',
      'Merge the subjects with POST /v1/subjects/merge, or send only identifiers of one.',
      [{ path, message: 'belongs to another subject' }],
    ),
  tooManyIdentifiers: (most: number): Refusal =>
    refusal(
      'validation_failed',
      `A subject has at most ${most} identifiers.`,
      'Check whether an import gives the identifiers of many people to one.',
      [{ path: 'identifiers', message: `would be more than ${most}` }],
    ),
  identifierUnknown: (path: string): Refusal =>
    refusal(
      'validation_failed',
      'The subject has no such identifier.',
      'Read the subject, and name one of its identifiers as it stands there.',
      [{ path, message: 'is no identifier of the subject' }],
    ),
  lastIdentifier: (): Refusal =>
    refusal(
      'validation_failed',
      'A subject keeps at least one identifier.',
      'Send what takes its place, or erase the subject.',
      [{ path: 'identifiers', message: 'would be none' }],
    ),
  identifierIsId: (path: string): Refusal =>
    refusal(
      'validation_failed',
      'A subject id is no identifier.',
      'Send an identifier such as email, phone or user_id; ids are given by the service.',
      [{ path, message: 'cannot be "subject"' }],
    ),
  alreadyOne: (): Refusal =>
    refusal(
      'merge_conflict',
      'The subjects are one already.',
      'Read the subject: all of the references lead to the same one.',
      [{ path: 'sources', message: 'are the target, or part of it' }],
    ),
  familyTooLarge: (most: number): Refusal =>
    refusal(
      'merge_conflict',
      `A subject can hold at most ${most} others.`,
      'Check whether a faulty import makes one person of many.',
      [{ path: 'sources', message: `would be more than ${most} subjects` }],
    ),
  laterMerge: (): Refusal =>
    refusal(
      'state_conflict',
      'The survivor of this merge was itself merged into another subject since.',
      'Revert the later merge first, then this one.',
      [{ path: 'mergeId', message: 'is covered by a later merge' }],
    ),
  mergeWasVoid: (): Refusal =>
    refusal(
      'merge_conflict',
      'The merge ran into others of the same subjects, which stand.',
      'Read the subjects: where they are not one yet, merge them under a new Idempotency-Key.',
      [{ path: 'sources', message: 'were merged otherwise meanwhile' }],
    ),
  restricted: (): Refusal =>
    refusal(
      'state_conflict',
      'The subject is under a restriction (legal hold): nothing of it may be erased.',
      'Lift the restriction with POST /v1/subjects/{ref}/lift-restriction once the hold is over, then erase.',
      [{ path: 'subject', message: 'is RESTRICTED' }],
    ),
  restrictionOver: (): Refusal =>
    refusal(
      'validation_failed',
      'The restriction would be over before it begins.',
      'Send an end that lies ahead, or none.',
      [{ path: 'until', message: 'lies in the past' }],
    ),
} as const;
