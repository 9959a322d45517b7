import type { Notice } from '../../catalogue/index.js';
import { entriesOf, wordsAbout, type Entry, type ToldEvent } from '../../subject-archive/index.js';
import { escapeHtml } from '../../http/docs/page.js';
import type { ArchiveNames } from './archive-names.js';
import type { ArchiveWords } from './words/index.js';

/** In the place of a name, that the person wants no messages at all. */
const GLOBAL_OPT_OUT = 'globalOptOut';

/** In which words the history of a subject is told. */
export interface HistoryWords {
  words: ArchiveWords;
  names: Pick<ArchiveNames, 'of' | 'ofKind'>;
  /** Null where nothing of that hash was ever published. */
  textOf: (hash: string) => Notice | null;
  time: (at: string) => string;
}

/** What an event says, a line of HTML for each thing. */
export const happenedLines = (told: ToldEvent, how: HistoryWords): string[] =>
  entriesOf(told).map((entry) => happenedIn(told, entry, how));

function happenedIn(
  { type, recordedAt }: ToldEvent,
  entry: Entry,
  { words, names, textOf, time }: HistoryWords,
): string {
  const what = entry.answer === null ? eventIn(words, type) : answerIn(words, wishOf(entry));
  const about = entry.about === '' ? '' : `: ${aboutIn(names, textOf, entry)}`;
  return `${what}${about} ${time(entry.givenAt ?? recordedAt)}`;
}

/** No messages at all: what is wanted then is that the wish stands. */
const wishOf = ({ about, answer }: Entry): string =>
  about === GLOBAL_OPT_OUT ? (answer === 'DENIED' ? 'ACTIVE' : 'NONE') : answer!;

/** In the words of today, in the language of the page; of what the catalogue has no more, as it was shown. */
function aboutIn(
  names: HistoryWords['names'],
  textOf: HistoryWords['textOf'],
  { about, type, text: hash }: Entry,
): string {
  if (type === 'IdentifierAdded' || type === 'SubjectRectified') return text(names.ofKind(about));
  const name = names.of(about);
  if (name !== null) return text(name);
  const notice = hash === null ? null : textOf(hash);
  return notice ? text(wordsAbout(notice, about).title) : code(about);
}

/** The type of an event that this release cannot read may be one that it does not know. */
const eventIn = ({ events }: ArchiveWords, type: string): string =>
  Object.hasOwn(events, type) ? escapeHtml(events[type as keyof typeof events]) : code(type);

/** A state, or an answer, in words. */
export const answerIn = ({ answers, switchedOn, switchedOff }: ArchiveWords, answer: string): string => {
  if (answer === 'ACTIVE') return escapeHtml(switchedOn);
  if (answer === 'NONE') return escapeHtml(switchedOff);
  return Object.hasOwn(answers, answer) ? escapeHtml(answers[answer as keyof typeof answers]) : code(answer);
};

/** May be in a language that is read in the other direction. */
export const text = (clear: string): string => `<bdi>${escapeHtml(clear)}</bdi>`;
export const code = (name: string): string => `<bdi><code>${escapeHtml(name)}</code></bdi>`;
