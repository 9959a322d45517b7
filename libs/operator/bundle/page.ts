import type { ReadEvent, StoredWords, SubjectTimeline, TimelineEntry } from '../../context/subject-timeline.js';
import type { StandingChoice } from '../../context/subject-part.js';
import { COLOURS, escapeHtml } from '../../http/docs/page.js';
import type { ExportedEvent } from '../export/exported-event.js';
import { allWords, wordsAbout, type ShownWords, type Texts } from '../../subject-archive/index.js';
import { textFile } from './text-files.js';
import { inWords, plain } from './words.js';

/**
 * Contrast is at least 4.5:1, also on paper: printed, the page is black on white. Sizes are in rem. What belongs together
 * is not torn apart between two sheets.
 */
const STYLE = `${COLOURS}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif;text-align:start;overflow-wrap:anywhere}
main{max-width:52rem;margin-inline:auto;padding:1rem 1rem 3rem}
h1{font-size:1.7rem;line-height:1.2;margin:1.2rem 0 .6rem}
h2{font-size:1.35rem;margin:2.4rem 0 .6rem}
h3{font-size:1.05rem;margin:.1rem 0 .5rem}
a{display:inline-block;min-height:24px;color:var(--link)}
a:focus-visible{outline:3px solid var(--mark);outline-offset:2px;border-radius:2px}
p{margin:.3rem 0}
.soft,time{color:var(--soft)}
code{font:.9em/1.5 ui-monospace,Menlo,Consolas,monospace}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .6rem;border:1px solid var(--line);text-align:start;vertical-align:top;overflow-wrap:break-word}
th{background:var(--panel)}
ol{list-style:none;margin:0;padding:0;border-inline-start:3px solid var(--line)}
ol li{margin:0 0 1.2rem;padding-inline-start:1rem}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.25rem 1rem;margin:0}
dt{color:var(--soft)}
dd{margin:0;min-width:0}
blockquote{margin:.2rem 0;padding:.5rem .8rem;background:var(--panel);border-inline-start:3px solid var(--mark)}
article{margin:1rem 0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:6px}
@media (max-width:34rem){dl,tr,td{display:block}dd{margin-bottom:.4rem}thead{position:absolute;left:-9999px}tr{padding:.4rem 0;border-top:1px solid var(--line)}td{padding:0;border:0;overflow-wrap:anywhere}}
@page{margin:16mm 14mm}
@media print{:root{font-size:9pt;--ground:#fff;--text:#000;--soft:#333;--line:#999;--panel:#fff;--link:#000;--mark:#000}main{max-width:none;padding:0}h1{margin-top:0}li,article,tr{break-inside:avoid}h2,h3{break-after:avoid}}`;

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
export function pageBegin(heading: Heading): string {
  const { site, environment, subject, since, records, last, personalData, stood, shown } = heading;
  const title = subject === null ? `Consent record of ${site}` : `Consent record of ${subject}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>When a person was asked, in which words, what the person answered, and until when it holds.</p>
${list([
  ['Site', escapeHtml(`${site}, environment ${environment}`)],
  ...(since === null ? [] : ([['From', whenOf(since)]] as const)),
  ['Log up to', last === null ? 'nothing was recorded' : `position ${last.position}, ${whenOf(last.recordedAt)}`],
  ['Events', records.toLocaleString('en')],
  [
    'Personal data',
    personalData === 'CLEAR' ? 'in records.jsonl; this page shows none' : 'left out; people are named by pseudonyms',
  ],
  ['Is it genuine?', 'this page alone proves nothing: run <code>node verify.mjs</code> beside it'],
])}
${stood === null ? '' : standing(stood)}<h2>What happened</h2>
${shown < records ? `<p>The first ${shown.toLocaleString('en')} events are shown here; all ${records.toLocaleString('en')} are in records.jsonl and records.csv.</p>\n` : ''}<ol>
`;
}

const standing = (stood: readonly StandingChoice[]): string =>
  stood.length === 0
    ? ''
    : `<h2>What stood at the end</h2>
<table>
<thead><tr><th scope="col">About</th><th scope="col">State</th><th scope="col">Since</th><th scope="col">Until</th></tr></thead>
<tbody>
${stood.map(({ about, state, since, until }) => `<tr><td>${escapeHtml(about)}</td><td>${escapeHtml(plain(state))}</td><td>${whenOf(since)}</td><td>${until === null ? 'no end' : whenOf(until)}</td></tr>`).join('\n')}
</tbody>
</table>
`;

/** One event of the timeline. */
export function pageEvent(
  event: ReadEvent,
  shown: { timeline: SubjectTimeline; texts: Texts },
  ofMany: boolean,
): string {
  return shown.timeline
    .entriesOf(event)
    .map((entry) => item(entry, event, shown, ofMany))
    .join('');
}

function item(
  entry: TimelineEntry,
  { event }: ReadEvent,
  { timeline, texts }: { timeline: SubjectTimeline; texts: Texts },
  ofMany: boolean,
): string {
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
  const facts: [string, string | null][] = [
    ['Person', ofMany && entry.subject !== null ? `<code>${entry.subject}</code>` : null],
    ['Asked', asked.length > 0 ? asked.join('') : null],
    ['About', entry.about === '' || entry.about === name ? null : `<code>${escapeHtml(entry.about)}</code>`],
    ['Answered', entry.answer === null ? null : escapeHtml(plain(entry.answer))],
    ['State then', entry.state === null ? null : escapeHtml(plain(entry.state))],
    ['Effect', entry.applied === false ? 'none: something newer stood already' : null],
    ['Until', untilOf(entry)],
    ['Said at', entry.givenAt === null || entry.givenAt === entry.recordedAt ? null : whenOf(entry.givenAt)],
    ['How', codes(entry.method, entry.surface)],
    ['By', entry.actor === null ? null : escapeHtml(plain(entry.actor))],
    ['Source', entry.source === null || entry.source === 'API' ? null : escapeHtml(plain(entry.source))],
    ['Place', entry.region ?? entry.country],
    ['Receipt', entry.receipt === null ? null : `<code>${entry.receipt}</code>`],
    ['Reference', entry.note === null ? null : escapeHtml(entry.note)],
  ];
  return `<li><p>${whenOf(entry.recordedAt)}</p>
<h3>${escapeHtml(timeline.headlineOf(entry))}${name === '' ? '' : `: ${inLanguage(name, words ? entry.language : null, 'span')}`}</h3>
${list(facts.filter((fact): fact is [string, string] => fact[1] !== null))}
</li>
`;
}

const untilOf = ({ answer, state, validUntil }: TimelineEntry): string | null => {
  if (validUntil !== null) return whenOf(validUntil);
  return answer === 'GRANTED' && state === 'GRANTED' ? 'it is taken back' : null;
};

const codes = (...values: (string | null)[]): string | null =>
  values.some((value) => value !== null)
    ? escapeHtml(values.flatMap((value) => (value === null ? [] : plain(value))).join(', '))
    : null;

/** Words as they were shown, in their own language, with the way to all of them. */
const quote = ({ title, paragraphs }: ShownWords, language: string | null, hash: string): string =>
  `<blockquote${languageOf(language)}>${[title, ...paragraphs]
    .filter((text) => text !== '')
    .map((text) => `<p>${escapeHtml(text)}</p>`)
    .join('')}</blockquote><p><a href="#${anchor(hash)}">All the words, ${escapeHtml(language ?? '')}</a></p>`;

function quoteStored({ language, dir, title, paragraphs, button }: StoredWords): string {
  const parts = [title, ...paragraphs, button].map((text) => `<p>${escapeHtml(text)}</p>`).join('');
  return `<blockquote lang="${escapeHtml(language)}" dir="${dir}">${parts}</blockquote>`;
}

/** Everything behind the timeline: all texts that were shown, each once. */
export function* pageEnd(texts: Texts): Generator<string> {
  yield '</ol>\n';
  if (texts.size > 0) yield '<h2>All the words that were shown</h2>\n';
  for (const hash of texts.all()) {
    const notice = texts.of(hash);
    const about = [plain(notice.kind), notice.key, `version ${notice.version}`, notice.locale]
      .filter(Boolean)
      .join(', ');
    const words = allWords(notice)
      .map(({ title, paragraphs }) => [title, ...paragraphs].map((text) => `<p>${escapeHtml(text)}</p>`).join(''))
      .join('');
    yield `<article id="${anchor(hash)}">
<h3>${escapeHtml(about)}</h3>
<blockquote${languageOf(notice.locale)}>${words}</blockquote>
<p class="soft">Published ${whenOf(notice.publishedAt)}, in force from ${whenOf(notice.effectiveFrom)}. Kept as <code>${textFile(hash)}</code>, whose SHA-256 is its name.</p>
</article>
`;
  }
  yield '</main>\n</body>\n</html>\n';
}

const anchor = (hash: string): string => `text-${hash.slice('sha256:'.length, 'sha256:'.length + 16)}`;

const whenOf = (at: string): string => `<time datetime="${at}">${inWords(at)}</time>`;

/** The browser finds the direction by the letters. */
const languageOf = (language: string | null): string =>
  language === null ? '' : ` lang="${escapeHtml(language)}" dir="auto"`;

const inLanguage = (text: string, language: string | null, tag: string): string =>
  `<${tag}${languageOf(language)}>${escapeHtml(text)}</${tag}>`;

/** Values are HTML. */
const list = (facts: readonly (readonly [string, string])[]): string =>
  `<dl>\n${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}\n</dl>`;
