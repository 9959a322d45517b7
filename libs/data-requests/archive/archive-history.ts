import type { Notice } from '../../catalogue/index.js';
import type { ReadEvent, SubjectTimeline, TimelineEntry } from '../../context/subject-timeline.js';
import { wordsAbout } from '../../subject-archive/index.js';
import { html, type Html, type HtmlValue } from '../../pages/html.js';
import type { Language } from '../../pages/languages.js';
import type { ArchiveNames } from './archive-names.js';
import type { ArchiveWords } from './texts/words.js';

/** In the place of a name, that the person wants no messages at all. */
const GLOBAL_OPT_OUT = 'globalOptOut';

/** The words in which the history of a subject is written. */
export interface HistoryWords {
  timeline: Pick<SubjectTimeline, 'entriesOf' | 'isAboutIdentifiers' | 'saidToPerson'>;
  language: Language;
  words: ArchiveWords;
  names: Pick<ArchiveNames, 'of' | 'ofKind'>;
  /** Null where nothing of that hash was ever published. */
  textOf: (hash: string) => Notice | null;
  time: (at: string) => HtmlValue;
}

/** What an event says, a line for each thing. */
export const happenedLines = (read: ReadEvent, how: HistoryWords): Html[] =>
  how.timeline.entriesOf(read).map((entry) => happenedIn(read, entry, how));

function happenedIn({ type, recordedAt }: ReadEvent, entry: TimelineEntry, how: HistoryWords): Html {
  const { timeline, language, words, time } = how;
  const said = timeline.saidToPerson(type, language);
  const happened = said === null ? code(type) : html`${said}`;
  const what = entry.answer === null ? happened : answerIn(words, wishOf(entry));
  const about = entry.about !== '' && html`: ${aboutIn(how, entry)}`;
  return html`${what}${about} ${time(entry.givenAt ?? recordedAt)}`;
}

/** No messages at all: what is wanted then is that the wish stands. */
const wishOf = ({ about, answer }: TimelineEntry): string =>
  about === GLOBAL_OPT_OUT ? (answer === 'DENIED' ? 'ACTIVE' : 'NONE') : answer!;

/** In the words of today, in the language of the page; of what the catalogue has no more, as it was shown. */
function aboutIn({ timeline, names, textOf }: HistoryWords, { about, type, text: hash }: TimelineEntry): Html {
  if (timeline.isAboutIdentifiers(type)) return text(names.ofKind(about));
  const name = names.of(about);
  if (name !== null) return text(name);
  const notice = hash === null ? null : textOf(hash);
  return notice ? text(wordsAbout(notice, about).title) : code(about);
}

/** A state, or an answer, in words. */
export const answerIn = ({ answers, switchedOn, switchedOff }: ArchiveWords, answer: string): Html => {
  if (answer === 'ACTIVE') return html`${switchedOn}`;
  if (answer === 'NONE') return html`${switchedOff}`;
  return Object.hasOwn(answers, answer) ? html`${answers[answer as keyof typeof answers]}` : code(answer);
};

/** May be in a language that is read in the other direction. */
export const text = (clear: string): Html => html`<bdi>${clear}</bdi>`;
export const code = (name: string): Html => html`<bdi><code>${name}</code></bdi>`;
