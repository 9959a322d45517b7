import { allWords } from '../../subject-archive/index.js';
import { COLOURS, escapeHtml } from '../../http/docs/page.js';
import { directionOf, type Language } from '../../pages/languages.js';
import { fill, named } from '../../pages/fill.js';
import { linksOf, type ShownBrand } from '../../pages/brand.js';
import { answerIn, code, happenedLines, text, type HistoryWords } from './archive-history.js';
import type { Counted } from './archive-json.js';
import type { ArchiveNames } from './archive-names.js';
import type { Holdings } from './holdings.js';
import { OPERATOR } from './own-data.js';
import { ARCHIVE_WORDS, type ArchiveWords } from './texts/words.js';
import { dayAndSecond } from '../../pages/dates.js';

export const DATA_FILE = 'your-data.json';
/** More than that nobody reads on a page; the JSON beside it has all. */
const SHOWN_MAX = 2_000;

/** Sizes are in rem and directions logical, so that the page grows with the reader's letters and mirrors. Contrast is at least 4.5:1. */
const STYLE = `${COLOURS}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif;text-align:start;overflow-wrap:anywhere}
header,main,footer{max-width:52rem;margin-inline:auto;padding-inline:1rem}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem 1rem;padding-block:1rem;border-bottom:3px solid var(--mark)}
header p{margin:0;font-weight:600}
img{display:block;width:auto;height:auto;max-width:min(100%,15rem);max-height:4.5rem;padding:.25rem;border-radius:6px;background:#fff}
footer{padding-block:1rem 2rem;border-top:1px solid var(--line)}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0;padding:0;list-style:none}
footer a{color:var(--link)}
main{max-width:52rem;margin-inline:auto;padding:1rem 1rem 3rem}
h1{font-size:1.7rem;line-height:1.25;margin:1.2rem 0 .6rem}
h2{font-size:1.35rem;margin:2.2rem 0 .6rem}
h3{font-size:1.05rem;margin:0 0 .4rem}
p{margin:.3rem 0}
li{margin:0 0 .8rem}
time,.soft{color:var(--soft)}
article{margin:1rem 0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:6px;background:var(--panel)}
@media print{:root{--ground:#fff;--text:#000;--soft:#333;--line:#999;--panel:#fff}li,article{break-inside:avoid}}`;

/** For whom a page is made. */
export interface ShownArchive {
  language: Language;
  names: ArchiveNames;
  /** Null: this process does not know the site. */
  brand: ShownBrand | null;
}

/** The colours of one site, which were checked for contrast when they were set. They carry no meaning. */
export const accentOf = (brand: ShownBrand | null): string =>
  brand?.accent
    ? `\n:root{--mark:${brand.accent.light.color};--on-mark:${brand.accent.light.text}}
@media (prefers-color-scheme:dark){:root{--mark:${brand.accent.dark.color};--on-mark:${brand.accent.dark.text}}}`
    : '';

/** Name and logo: the picture is part of the page, and says nothing more to who cannot see it. */
export function headerOf(brand: ShownBrand | null): string {
  if (!brand) return '';
  const { logo, name } = brand;
  const picture = logo
    ? `<img src="data:${logo.mediaType};base64,${logo.content}" width="${logo.width}" height="${logo.height}" alt="">\n`
    : '';
  return `<header>\n${picture}<p><bdi>${escapeHtml(name)}</bdi></p>\n</header>\n`;
}

/** `your-data.html`, part by part, for a person. It loads nothing and runs nothing. To be read after the JSON, which counts. */
export async function* archivePage(
  holdings: Holdings,
  { language, names, brand }: ShownArchive,
  counted: Counted,
): AsyncGenerator<string> {
  const words: ArchiveWords = ARCHIVE_WORDS[language];
  const time = (at: string): string => `<time datetime="${at}">${escapeHtml(dayAndSecond(at, language))}</time>`;
  const site = named(brand?.name ?? holdings.scope.site, language);
  const title = escapeHtml(fill(words.title, { site }));
  const nameOf = (about: string): string => {
    const name = names.of(about);
    return name === null ? code(about) : text(name);
  };
  const file = `<bdi>${DATA_FILE}</bdi>`;
  yield `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${brand?.logo ? '; img-src data:' : ''}">
<style>${STYLE}${accentOf(brand)}</style>
</head>
<body>
${headerOf(brand)}<main>
<h1>${title}</h1>
<p>${fill(escapeHtml(words.intro), { time: time(holdings.at) })}</p>
<p>${fill(escapeHtml(words.machine), { file })}</p>
`;
  yield* section(
    words.known,
    words,
    each(await holdings.identifiers(), ({ kind, value }) => `${text(names.ofKind(kind))}: ${text(value)}`),
  );
  yield* section(
    words.now,
    words,
    each(
      await holdings.stood(),
      ({ about, state, since }) => `${nameOf(about)}: ${answerIn(words, state)} ${time(since)}`,
    ),
  );
  const left = Math.max(0, counted.events - SHOWN_MAX);
  const newest = { shown: amount(language, SHOWN_MAX), all: amount(language, counted.events), file };
  yield* section(
    words.happened,
    words,
    historyOf(holdings, left, {
      timeline: holdings.timeline,
      words,
      names,
      textOf: (hash) => holdings.textOf(hash),
      time,
    }),
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
      ({ origin, type, finishedAt }) => `${text(origin ?? '–')}: ${topicIn(words, type)} ${time(finishedAt)}`,
    ),
  );
  yield* section(
    words.looked,
    words,
    each(
      holdings.reads(),
      ({ reader, reads, lastAt }) =>
        `${escapeHtml(fill(reader === OPERATOR ? words.readers.person : words.readers.system, { site }))} × ${amount(language, reads)} ${time(lastAt)}`,
    ),
  );
  yield* section(
    words.requests,
    words,
    each(
      await holdings.requests(),
      ({ type, state, receivedAt }) =>
        `${escapeHtml(words.kinds[type])}: ${escapeHtml(words.states[state])} ${time(receivedAt)}`,
    ),
  );
  yield `</main>\n${footerOf(brand, language)}</body>\n</html>\n`;
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

/** What happened, line by line; the first `left` events are left out. */
async function* historyOf(holdings: Holdings, left: number, how: HistoryWords): AsyncGenerator<string> {
  let passed = 0;
  for await (const page of holdings.events())
    for (const event of page) if (++passed > left) yield* happenedLines(event, how);
}

/** By the first word of the type of a webhook's event, `consent.recorded`. */
function topicIn({ topics }: ArchiveWords, type: string): string {
  const topic = type.split('.')[0]!;
  return Object.hasOwn(topics, topic) ? escapeHtml(topics[topic as keyof typeof topics]) : code(type);
}

function footerOf(brand: ShownBrand | null, language: Language): string {
  const links = brand ? linksOf(brand, language) : [];
  if (links.length === 0) return '';
  const items = links.map(
    ({ label, url }) => `<li><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(label)}</a></li>`,
  );
  return `<footer>\n<ul>${items.join('')}</ul>\n</footer>\n`;
}

const amount = (language: Language, count: number): string => count.toLocaleString(language);

async function* each<T>(items: Iterable<T> | AsyncIterable<T>, show: (item: T) => string): AsyncGenerator<string> {
  for await (const item of items) yield show(item);
}
