import { allWords } from '../../subject-archive/index.js';
import { html, NOTHING, type Html } from '../../pages/html.js';
import { brandHeader, linkList, linksOf, type ShownBrand } from '../../pages/brand.js';
import { dayAndSecond } from '../../pages/dates.js';
import { fill, fillHtml, named } from '../../pages/fill.js';
import { PAGE_END, pageBegin } from '../../pages/frame.js';
import type { Language } from '../../pages/languages.js';
import { inColoursOf, withFrame } from '../../pages/style.js';
import { textBeside } from '../../engines/text-beside.js';
import { answerIn, code, happenedLines, text, type HistoryWords } from './archive-history.js';
import type { Counted } from './archive-json.js';
import type { ArchiveNames } from './archive-names.js';
import type { Holdings } from './holdings.js';
import { OPERATOR } from './own-data.js';
import { ARCHIVE_WORDS, type ArchiveWords } from './texts/words.js';

export const DATA_FILE = 'your-data.json';
/** Most entries of one part of the page: a person reads no more. The JSON beside it has all. */
const SHOWN_MAX = 2_000;

const STYLE = withFrame(textBeside(import.meta.url, './archive-page.css'));

/** For whom a page is made. */
export interface ShownArchive {
  language: Language;
  names: ArchiveNames;
  /** Null: this process does not know the site. */
  brand: ShownBrand | null;
}

/** `your-data.html`, part by part, for a person. It loads nothing and runs nothing. To be read after the JSON, which counts. */
export async function* archivePage(
  holdings: Holdings,
  { language, names, brand }: ShownArchive,
  counted: Counted,
): AsyncGenerator<Html> {
  const words: ArchiveWords = ARCHIVE_WORDS[language];
  const time = (at: string): Html => html`<time datetime="${at}">${dayAndSecond(at, language)}</time>`;
  const site = named(brand?.name ?? holdings.scope.site, language);
  const title = fill(words.title, { site });
  const nameOf = (about: string): Html => {
    const name = names.of(about);
    return name === null ? code(about) : text(name);
  };
  const file = html`<bdi>${DATA_FILE}</bdi>`;
  const style = inColoursOf(brand, STYLE);
  const head = html`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${brand?.logo && '; img-src data:'}">\n`;
  yield html`${pageBegin({ language, title, style, head })}${brand && brandHeader(brand)}<main>
<h1>${title}</h1>
<p>${fillHtml(words.intro, { time: time(holdings.at) })}</p>
<p>${fillHtml(words.machine, { file })}</p>
`;
  yield* section(
    words.known,
    words,
    each(await holdings.identifiers(), ({ kind, value }) => html`${text(names.ofKind(kind))}: ${text(value)}`),
  );
  yield* section(
    words.now,
    words,
    each(
      await holdings.stood(),
      ({ about, state, since }) => html`${nameOf(about)}: ${answerIn(words, state)} ${time(since)}`,
    ),
  );
  const left = Math.max(0, counted.events - SHOWN_MAX);
  const newest = { shown: amount(language, SHOWN_MAX), all: amount(language, counted.events), file };
  yield* section(
    words.happened,
    words,
    historyOf(holdings, left, {
      timeline: holdings.timeline,
      language,
      words,
      names,
      textOf: (hash) => holdings.textOf(hash),
      time,
    }),
    left > 0 ? html`<p>${fillHtml(words.newest, newest)}</p>\n` : NOTHING,
  );
  yield html`<h2>${words.texts}</h2>\n`;
  for (const notice of holdings.shownTexts())
    for (const { title: heading, paragraphs } of allWords(notice))
      yield html`<article lang="${notice.locale}" dir="auto"><h3>${heading}</h3>${paragraphs.map((each) => html`<p>${each}</p>`)}</article>\n`;
  yield* section(
    words.told,
    words,
    each(
      holdings.deliveries(),
      ({ origin, type, finishedAt }) => html`${text(origin ?? '–')}: ${topicIn(words, type)} ${time(finishedAt)}`,
    ),
  );
  yield* section(
    words.looked,
    words,
    each(
      holdings.reads(),
      ({ reader, reads, lastAt }) =>
        html`${fill(reader === OPERATOR ? words.readers.person : words.readers.system, { site })} × ${amount(language, reads)} ${time(lastAt)}`,
    ),
  );
  yield* section(
    words.requests,
    words,
    each(
      await holdings.requests(),
      ({ type, state, receivedAt }) => html`${words.kinds[type]}: ${words.states[state]} ${time(receivedAt)}`,
    ),
  );
  const links = brand ? linksOf(brand, language) : [];
  yield html`</main>\n${links.length > 0 && html`<footer>\n${linkList(links)}\n</footer>\n`}${PAGE_END}`;
}

async function* section(
  heading: string,
  words: ArchiveWords,
  items: AsyncIterable<Html>,
  before = NOTHING,
): AsyncGenerator<Html> {
  yield html`<h2>${heading}</h2>\n${before}`;
  let isEmpty = true;
  for await (const item of items) {
    yield html`${isEmpty && html`<ul>\n`}<li>${item}</li>\n`;
    isEmpty = false;
  }
  yield isEmpty ? html`<p>${words.nothing}</p>\n` : html`</ul>\n`;
}

/** What happened, line by line; the first `left` events are left out. */
async function* historyOf(holdings: Holdings, left: number, how: HistoryWords): AsyncGenerator<Html> {
  let passed = 0;
  for await (const page of holdings.events())
    for (const event of page) if (++passed > left) yield* happenedLines(event, how);
}

/** By the first word of the type of a webhook's event, `consent.recorded`. */
function topicIn({ topics }: ArchiveWords, type: string): Html {
  const topic = type.split('.')[0]!;
  return Object.hasOwn(topics, topic) ? html`${topics[topic as keyof typeof topics]}` : code(type);
}

const amount = (language: Language, count: number): string => count.toLocaleString(language);

async function* each<T>(items: Iterable<T> | AsyncIterable<T>, show: (item: T) => Html): AsyncGenerator<Html> {
  for await (const item of items) yield show(item);
}
