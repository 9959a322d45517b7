import { entriesOf, allWords, wordsAbout, type Entry, type ToldEvent } from '../../holdings/index.js';
import { COLOURS, escapeHtml } from '../../platform/http/docs/page.js';
import { directionOf, fill, type Language } from '../../preferences/texts/index.js';
import type { ArchiveOf, Counted } from './archive-json.js';
import type { Holdings } from './holdings.js';
import { ARCHIVE_WORDS, timeIn, type ArchiveWords } from './words/index.js';

export const DATA_FILE = 'your-data.json';
/** More than that nobody reads on a page; the JSON beside it has all. */
const SHOWN_MAX = 2_000;

/** Sizes are in rem and directions logical, so that the page grows with the reader's letters and mirrors. Contrast is at least 4.5:1. */
const STYLE = `${COLOURS}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif;text-align:start;overflow-wrap:anywhere}
main{max-width:52rem;margin-inline:auto;padding:1rem 1rem 3rem}
h1{font-size:1.7rem;line-height:1.25;margin:1.2rem 0 .6rem}
h2{font-size:1.35rem;margin:2.2rem 0 .6rem}
h3{font-size:1.05rem;margin:0 0 .4rem}
p{margin:.3rem 0}
li{margin:0 0 .8rem}
time,.soft{color:var(--soft)}
article{margin:1rem 0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:6px;background:var(--panel)}
@media print{:root{--ground:#fff;--text:#000;--soft:#333;--line:#999;--panel:#fff}li,article{break-inside:avoid}}`;

/** `your-data.html`, part by part, for a person. It loads nothing and runs nothing. To be read after the JSON, which counts. */
export async function* archivePage(
  holdings: Holdings,
  { language }: ArchiveOf,
  counted: Counted,
): AsyncGenerator<string> {
  const words: ArchiveWords = ARCHIVE_WORDS[language];
  const time = (at: string): string => `<time datetime="${at}">${escapeHtml(timeIn(language, at))}</time>`;
  const title = escapeHtml(fill(words.title, { site: holdings.scope.site }));
  const file = `<bdi>${DATA_FILE}</bdi>`;
  yield `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${fill(escapeHtml(words.intro), { time: time(holdings.at) })}</p>
<p>${fill(escapeHtml(words.machine), { file })}</p>
`;
  yield* section(
    words.known,
    words,
    each(await holdings.identifiers(), ({ kind, value }) => `${code(kind)} ${text(value)}`),
  );
  yield* section(
    words.now,
    words,
    each(
      await holdings.stood(),
      ({ about, state, since }) => `${text(about)}: ${answerIn(words, state)} ${time(since)}`,
    ),
  );
  const left = Math.max(0, counted.events - SHOWN_MAX);
  const newest = { shown: amount(language, SHOWN_MAX), all: amount(language, counted.events), file };
  yield* section(
    words.happened,
    words,
    historyOf(holdings, left, (event, entry) => happenedIn(words, holdings, event, entry, time)),
    left > 0 ? `<p>${fill(escapeHtml(words.newest), newest)}</p>\n` : '',
  );
  yield `<h2>${escapeHtml(words.texts)}</h2>\n`;
  for (const notice of holdings.shownTexts())
    yield allWords(notice)
      .map(
        ({ title: heading, paragraphs }) =>
          `<article lang="${escapeHtml(notice.locale)}" dir="auto"><h3>${escapeHtml(heading)}</h3>${paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`).join('')}</article>\n`,
      )
      .join('');
  yield* section(
    words.told,
    words,
    each(
      holdings.deliveries(),
      ({ origin, type, finishedAt }) => `${text(origin ?? '–')} ${code(type)} ${time(finishedAt)}`,
    ),
  );
  yield* section(
    words.looked,
    words,
    each(
      holdings.reads(),
      ({ reader, operation, reads, lastAt }) =>
        `${code(reader)} ${code(operation)} × ${amount(language, reads)} ${time(lastAt)}`,
    ),
  );
  yield* section(
    words.requests,
    words,
    each(
      await holdings.requests(),
      ({ type, state, receivedAt }) => `${code(type)} ${code(state)} ${time(receivedAt)}`,
    ),
  );
  yield '</main>\n</body>\n</html>\n';
}

async function* section(
  heading: string,
  words: ArchiveWords,
  items: AsyncIterable<string>,
  before = '',
): AsyncGenerator<string> {
  yield `<h2>${escapeHtml(heading)}</h2>\n${before}`;
  let isEmpty = true;
  for await (const item of items) {
    yield `${isEmpty ? '<ul>\n' : ''}<li>${item}</li>\n`;
    isEmpty = false;
  }
  yield isEmpty ? `<p>${escapeHtml(words.nothing)}</p>\n` : '</ul>\n';
}

/** Rows of a table that says what happened; the first `left` events are left out. */
async function* historyOf(
  holdings: Holdings,
  left: number,
  show: (event: ToldEvent, entry: Entry) => string,
): AsyncGenerator<string> {
  let passed = 0;
  for await (const page of holdings.events())
    for (const event of page) if (++passed > left) for (const entry of entriesOf(event)) yield show(event, entry);
}

function happenedIn(
  words: ArchiveWords,
  holdings: Holdings,
  { type, recordedAt }: ToldEvent,
  entry: Entry,
  time: (at: string) => string,
): string {
  const notice = entry.text === null ? null : holdings.textOf(entry.text);
  const about = notice ? wordsAbout(notice, entry.about).title : entry.about;
  const what = entry.answer === null ? eventIn(words, type) : answerIn(words, entry.answer);
  return `${what}${about === '' ? '' : `: ${text(about)}`} ${time(entry.givenAt ?? recordedAt)}`;
}

const eventIn = ({ events }: ArchiveWords, type: string): string =>
  Object.hasOwn(events, type) ? escapeHtml(events[type as keyof typeof events]) : code(type);
const answerIn = ({ answers }: ArchiveWords, answer: string): string =>
  Object.hasOwn(answers, answer) ? escapeHtml(answers[answer as keyof typeof answers]) : code(answer);

/** May be in a language that is read in the other direction. */
const text = (clear: string): string => `<bdi>${escapeHtml(clear)}</bdi>`;
const code = (name: string): string => `<bdi><code>${escapeHtml(name)}</code></bdi>`;
const amount = (language: Language, count: number): string => count.toLocaleString(language);

async function* each<T>(items: Iterable<T> | AsyncIterable<T>, show: (item: T) => string): AsyncGenerator<string> {
  for await (const item of items) yield show(item);
}
