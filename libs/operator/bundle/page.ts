import type { ReadEvent, StoredWords, SubjectTimeline, TimelineEntry } from '../../context/subject-timeline.js';
import type { StandingChoice } from '../../context/subject-part.js';
import { textBeside } from '../../engines/text-beside.js';
import { PAGE_END, pageBegin } from '../../pages/frame.js';
import { html, joined, NOTHING, type Html, type HtmlValue } from '../../pages/html.js';
import { withColours } from '../../pages/style.js';
import type { ExportedEvent } from '../export/exported-event.js';
import { allWords, wordsAbout, type ShownWords, type Texts } from '../../subject-archive/index.js';
import { textFile } from './text-files.js';
import { inWords, plain } from './words.js';

const STYLE = withColours(textBeside(import.meta.url, './page.css'));

/** What stands above the timeline. */
export interface Heading {
  site: string;
  environment: string;
  /** Null: of all subjects. */
  subject: string | null;
  since: string | null;
  records: number;
  /** The last event that was looked at; null where there was none. */
  last: Pick<ExportedEvent, 'position' | 'recordedAt'> | null;
  personalData: 'WITHHELD' | 'CLEAR';
  /** Null where several subjects are shown. */
  stood: readonly StandingChoice[] | null;
  /** How many events the page shows of them. */
  shown: number;
}

/** Everything up to the timeline. */
export function recordBegin(heading: Heading): Html {
  const { site, environment, subject, since, records, last, personalData, stood, shown } = heading;
  const title = subject === null ? `Consent record of ${site}` : `Consent record of ${subject}`;
  return html`${pageBegin({ language: 'en', title, style: STYLE })}<main>
<h1>${title}</h1>
<p>When a person was asked, in which words, what the person answered, and until when it holds.</p>
${list([
  ['Site', `${site}, environment ${environment}`],
  ...(since === null ? [] : ([['From', whenOf(since)]] as const)),
  ['Log up to', last === null ? 'nothing was recorded' : html`position ${last.position}, ${whenOf(last.recordedAt)}`],
  ['Events', records.toLocaleString('en')],
  [
    'Personal data',
    personalData === 'CLEAR' ? 'in records.jsonl; this page shows none' : 'left out; people are named by pseudonyms',
  ],
  ['Is it genuine?', html`this page alone proves nothing: run <code>node verify.mjs</code> beside it`],
])}
${stood && standing(stood)}<h2>What happened</h2>
${shown < records && html`<p>The first ${shown.toLocaleString('en')} events are shown here; all ${records.toLocaleString('en')} are in records.jsonl and records.csv.</p>\n`}<ol>
`;
}

const standing = (stood: readonly StandingChoice[]): Html =>
  stood.length === 0
    ? NOTHING
    : html`<h2>What stood at the end</h2>
<table>
<thead><tr><th scope="col">About</th><th scope="col">State</th><th scope="col">Since</th><th scope="col">Until</th></tr></thead>
<tbody>
${joined(
  stood.map(
    ({ about, state, since, until }) =>
      html`<tr><td>${about}</td><td>${plain(state)}</td><td>${whenOf(since)}</td><td>${until === null ? 'no end' : whenOf(until)}</td></tr>`,
  ),
  '\n',
)}
</tbody>
</table>
`;

/** One event of the timeline. */
export const recordEvent = (
  event: ReadEvent,
  shown: { timeline: SubjectTimeline; texts: Texts },
  ofMany: boolean,
): Html => html`${shown.timeline.entriesOf(event).map((entry) => item(entry, event, shown, ofMany))}`;

function item(
  entry: TimelineEntry,
  { event }: ReadEvent,
  { timeline, texts }: { timeline: SubjectTimeline; texts: Texts },
  ofMany: boolean,
): Html {
  const stored = timeline.wordsOf(event);
  const words = entry.text === null ? null : wordsAbout(texts.of(entry.text), entry.about);
  const name = words?.title ?? entry.about;
  const asked = [
    ...(entry.banner === null
      ? []
      : [quote(wordsAbout(texts.of(entry.banner), ''), texts.of(entry.banner).locale, entry.banner)]),
    ...(words && entry.text !== null ? [quote(words, entry.language, entry.text)] : []),
    ...(stored === null ? [] : [quoteStored(stored)]),
  ];
  const facts: Fact[] = [
    ['Person', ofMany && entry.subject !== null ? html`<code>${entry.subject}</code>` : null],
    ['Asked', asked.length > 0 ? asked : null],
    ['About', entry.about === '' || entry.about === name ? null : html`<code>${entry.about}</code>`],
    ['Answered', entry.answer === null ? null : plain(entry.answer)],
    ['State then', entry.state === null ? null : plain(entry.state)],
    ['Effect', entry.applied === false ? 'none: something newer stood already' : null],
    ['Until', untilOf(entry)],
    ['Said at', entry.givenAt === null || entry.givenAt === entry.recordedAt ? null : whenOf(entry.givenAt)],
    ['How', codes(entry.method, entry.surface)],
    ['On the screen', entry.display === null ? null : displayOf(entry.display)],
    ['By', entry.actor === null ? null : plain(entry.actor)],
    ['Source', entry.source === null || entry.source === 'API' ? null : plain(entry.source)],
    ['Place', entry.region ?? entry.country],
    ['Receipt', entry.receipt === null ? null : html`<code>${entry.receipt}</code>`],
    ['Reference', entry.note === null ? null : entry.note],
  ];
  return html`<li><p>${whenOf(entry.recordedAt)}</p>
<h3>${timeline.headlineOf(entry)}${name !== '' && html`: <span${languageOf(words && entry.language)}>${name}</span>`}</h3>
${list(facts.filter(([, shown]) => shown !== null))}
</li>
`;
}

const untilOf = ({ answer, state, validUntil }: TimelineEntry): HtmlValue => {
  if (validUntil !== null) return whenOf(validUntil);
  return answer === 'GRANTED' && state === 'GRANTED' ? 'it is taken back' : null;
};

const displayOf = (display: string): string =>
  display === 'PASSED' ? 'passed each check' : `failed: ${codes(...display.split(' '))}`;

const codes = (...values: (string | null)[]): string | null =>
  values.some((value) => value !== null)
    ? values.flatMap((value) => (value === null ? [] : plain(value))).join(', ')
    : null;

/** Words as they were shown, in their own language, with the way to all of them. */
const quote = ({ title, paragraphs }: ShownWords, language: string | null, hash: string): Html =>
  html`<blockquote${languageOf(language)}>${[title, ...paragraphs]
    .filter((text) => text !== '')
    .map(
      (text) => html`<p>${text}</p>`,
    )}</blockquote><p><a href="#${anchor(hash)}">All the words, ${language ?? ''}</a></p>`;

function quoteStored({ language, dir, title, paragraphs, button }: StoredWords): Html {
  const parts = [title, ...paragraphs, button].map((text) => html`<p>${text}</p>`);
  return html`<blockquote lang="${language}" dir="${dir}">${parts}</blockquote>`;
}

/** Everything behind the timeline: all texts that were shown, each once. */
export function* recordEnd(texts: Texts): Generator<Html> {
  yield html`</ol>\n`;
  if (texts.size > 0) yield html`<h2>All the words that were shown</h2>\n`;
  for (const hash of texts.all()) {
    const notice = texts.of(hash);
    const about = [plain(notice.kind), notice.key, `version ${notice.version}`, notice.locale]
      .filter(Boolean)
      .join(', ');
    const words = allWords(notice).flatMap(({ title, paragraphs }) =>
      [title, ...paragraphs].map((text) => html`<p>${text}</p>`),
    );
    yield html`<article id="${anchor(hash)}">
<h3>${about}</h3>
<blockquote${languageOf(notice.locale)}>${words}</blockquote>
<p class="soft">Published ${whenOf(notice.publishedAt)}, in force from ${whenOf(notice.effectiveFrom)}. Kept as <code>${textFile(hash)}</code>, whose SHA-256 is its name.</p>
</article>
`;
  }
  yield html`</main>\n${PAGE_END}`;
}

const anchor = (hash: string): string => `text-${hash.slice('sha256:'.length, 'sha256:'.length + 16)}`;

const whenOf = (at: string): Html => html`<time datetime="${at}">${inWords(at)}</time>`;

/** The browser finds the direction by the letters. */
const languageOf = (language: string | null): HtmlValue => language !== null && html` lang="${language}" dir="auto"`;

type Fact = readonly [name: string, shown: HtmlValue];
const list = (facts: readonly Fact[]): Html =>
  html`<dl>\n${joined(
    facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`),
    '\n',
  )}\n</dl>`;
