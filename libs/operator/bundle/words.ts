import type { Instant } from '../../kernel/index.js';
import type { Entry, PersonEvent } from '../../subject-archive/index.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `22 November 2026, 09:30:12 UTC`. By a list of our own: what a machine's locale data say may change. */
export function inWords(at: Instant): string {
  const [year, month, day] = at.slice(0, 10).split('-').map(Number) as [number, number, number];
  return `${day} ${MONTHS[month - 1]} ${year}, ${at.slice(11, 19)} UTC`;
}

const ANSWERS: Readonly<Record<string, string>> = {
  GRANTED: 'Agreed',
  DENIED: 'Refused',
  WITHDRAWN: 'Took consent back',
  OBJECTED: 'Objected',
  ACKNOWLEDGED: 'Took note',
};

/** A decision is its answer; of a preference, what is wanted. */
const EVENTS: Readonly<Record<Exclude<PersonEvent['type'], 'ConsentRecorded' | 'PreferenceSet'>, string>> = {
  SubjectCreated: 'Was seen for the first time',
  IdentifierAdded: 'An identifier was added',
  IdentifierVerified: 'An identifier was verified',
  SubjectRectified: 'What was wrong was put right',
  ConsentExpired: 'Consent ended by itself',
  PreferenceConfirmationRequested: 'Was asked to confirm',
  PreferenceConfirmationMailed: 'The mail with the link was handed over',
  PreferenceConfirmed: 'Confirmed by the link',
  PreferenceConfirmationExpired: 'Nobody confirmed in time',
  SubjectsMerged: 'Two subjects became one',
  SubjectMergeReverted: 'A merge was taken back',
  SubjectErased: 'Was erased',
  SubjectRestricted: 'Processing was restricted',
  SubjectRestrictionLifted: 'The restriction ended',
};

/** What happened, in a few words. */
export function headline({ type, answer, state, about }: Entry): string {
  if (type === 'PreferenceSet') {
    if (about === 'globalOptOut') return answer === 'DENIED' ? 'Wants no messages at all' : 'Wants messages again';
    if (answer !== null) return answer === 'GRANTED' ? 'Wants' : 'Does not want';
    return state === 'UNSET' ? 'Cleared' : 'Set';
  }
  if (type === 'ConsentRecorded') return ANSWERS[answer ?? ''] ?? type;
  // One that this release cannot read may be of a type that it does not know.
  return Object.hasOwn(EVENTS, type) ? EVENTS[type as keyof typeof EVENTS] : type;
}

/** `SAVE_CHOICES` as `save choices`. */
export const plain = (code: string): string => code.toLowerCase().replaceAll('_', ' ');
