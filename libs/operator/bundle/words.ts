import { topicPath, type Notice } from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import type { Entry } from './entry.js';

/** The words of one text as a person reads them, heading first. */
export interface ShownWords {
  title: string;
  paragraphs: string[];
}

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

const EVENTS: Readonly<Record<string, string>> = {
  SubjectCreated: 'Was seen for the first time',
  IdentifierAdded: 'An identifier was added',
  IdentifierVerified: 'An identifier was verified',
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
  return (type === 'ConsentRecorded' ? ANSWERS[answer ?? ''] : EVENTS[type]) ?? type;
}

/** `SAVE_CHOICES` as `save choices`. */
export const plain = (code: string): string => code.toLowerCase().replaceAll('_', ' ');

/** What of a text was asked about one thing: a template asks about many. */
export function wordsAbout({ kind, content }: Notice, about: string): ShownWords {
  const of = content as unknown as Record<string, unknown>;
  switch (kind) {
    case 'PURPOSE': {
      const { name, description, legalText } = of['text'] as Record<string, string | null>;
      return { title: name ?? about, paragraphs: [description, legalText].filter(isText) };
    }
    case 'BANNER': {
      const texts = of['texts'] as Record<string, string | null>;
      const labels = (of['buttons'] as { action: string }[])
        .map(({ action }) => texts[camelCase(action)])
        .filter(isText);
      return { title: texts['title'] ?? '', paragraphs: [texts['body'], labels.join(' · ')].filter(isText) };
    }
    case 'PREFERENCE_TEMPLATE': {
      const sections = of['sections'] as { title: string; fields: TemplateFieldShown[] }[];
      const field = sections
        .flatMap(({ fields }) => fields)
        .find((each) => each.key === about || pathOf(each) === about);
      return { title: field?.label ?? about, paragraphs: [field?.help].filter(isText) };
    }
  }
}

interface TemplateFieldShown {
  key: string;
  label: string;
  help: string | null;
  channel?: string | null;
  topic?: string | null;
}

const pathOf = ({ channel, topic }: TemplateFieldShown): string | null =>
  channel && topic ? topicPath(channel, topic) : null;

/** `ACCEPT_ALL` as `acceptAll`: so the label of a button is named. */
const camelCase = (action: string): string =>
  action.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Everything that a text says, for whoever wants to read it whole. */
export function allWords(notice: Notice): ShownWords[] {
  if (notice.kind !== 'PREFERENCE_TEMPLATE') return [wordsAbout(notice, notice.key ?? '')];
  const sections = (notice.content as unknown as { sections: { title: string; fields: TemplateFieldShown[] }[] })
    .sections;
  return sections.map(({ title, fields }) => ({
    title,
    paragraphs: fields.map(({ label, help }) => (help ? `${label}: ${help}` : label)),
  }));
}

const isText = (value: string | null | undefined): value is string => typeof value === 'string' && value !== '';
