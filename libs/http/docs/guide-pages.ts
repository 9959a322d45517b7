import { Marked, type RendererObject, type Token, type TokenizerObject, type Tokens } from 'marked';
import { addressOf, type Guide } from './guide-files.js';
import { GUIDE_STYLE_HASH } from './guide-style.js';
import { escapeHtml, page } from './page.js';

/** From so many columns on a table is scrolled sideways on a small screen; narrower ones fit. */
const WIDE = 4;

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Commands',
  js: 'JavaScript',
  json: 'Answer',
  sql: 'SQL',
  ts: 'TypeScript',
  diff: 'Change',
};

/** An address that only stands in a text is an example, such as http://HOST:PORT. */
const NO_BARE_LINKS: TokenizerObject = { url: () => undefined };

/** A page of the folder `docs` as HTML: no scripts, nothing from elsewhere, links and images to what the service serves. */
export function guidePage({ name, file, markdown }: Guide, prefix: string): string {
  const marked = new Marked({ gfm: true, renderer: rendererOf(file, prefix), tokenizer: NO_BARE_LINKS });
  const [title, ...rest] = marked.lexer(markdown);
  if (title?.type !== 'heading') throw new Error(`${file} does not begin with its title`);
  const { text, depth } = title as Tokens.Heading;
  const html = (tokens: Token[]): string => marked.parser(tokens);
  return page({
    title: depth === 1 ? `${text} – Assent` : 'Assent',
    prefix,
    current: 'guides',
    head: `<link rel="stylesheet" href="${prefix}/docs/assets/guides.css?v=${GUIDE_STYLE_HASH}">\n`,
    main: `${html([title])}${name === '' ? '' : `<p><a href="${prefix}/docs/guides">All guides</a></p>\n${contents(rest)}`}${html(rest)}`,
  });
}

/** As GitHub makes them, so that links work there and here. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const plain = (title: string): string => escapeHtml(title.replaceAll('`', ''));

function contents(tokens: readonly Token[]): string {
  const sections = tokens.filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2);
  if (sections.length < 3) return '';
  const items = sections.map(({ text }) => `<li><a href="#${anchorOf(text)}">${plain(text)}</a></li>`);
  return `<nav class="toc" aria-label="On this page"><ul>${items.join('')}</ul></nav>\n`;
}

function rendererOf(file: string, prefix: string): RendererObject {
  const counts = new Map<string, number>();
  /** Each region of a page has a name of its own, by which screen readers tell them apart. */
  const numbered = (kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind} ${count}`;
  };
  const placed = (link: string): string | null => {
    const address = addressOf(file, link);
    return address?.startsWith('/') ? `${prefix}${address}` : address;
  };
  return {
    heading({ tokens, depth, text }) {
      const id = depth === 1 ? '' : ` id="${anchorOf(text)}"`;
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const label = numbered(LANGUAGES[lang] ?? 'Example');
      return `<pre tabindex="0" role="region" aria-label="${label}"><code>${escapeHtml(text)}</code></pre>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = placed(href);
      return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    table({ header, rows }) {
      const line = (cells: Tokens.TableCell[], tag: string): string =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.split(' ')[0]}>`).join('')}</tr>\n`;
      // A heading that is empty says nothing; a row of them is only what Markdown asks for.
      const headings = header.map(({ text, tokens }) =>
        text === '' ? '<td></td>' : `<th scope="col">${this.parser.parseInline(tokens)}</th>`,
      );
      const head = header.some(({ text }) => text !== '') ? `<thead><tr>${headings.join('')}</tr></thead>\n` : '';
      const table = `<table>\n${head}<tbody>\n${rows.map((cells) => line(cells, 'td')).join('')}</tbody>\n</table>\n`;
      if (header.length < WIDE) return table;
      return `<div class="wide" tabindex="0" role="region" aria-label="${numbered('Table')}">\n${table}</div>\n`;
    },
    /** The one element that pages hold is an image of their own; whatever else looks like one is shown as it stands. */
    html({ text }) {
      const [, src, alt, width] = /^<img src="([^"]+)" alt="([^"]*)" width="(\d+)">\n*$/.exec(text) ?? [];
      const address = src && placed(src);
      if (!address) return escapeHtml(text);
      return `<p><img src="${escapeHtml(address)}" alt="${escapeHtml(alt!)}" width="${width}"></p>\n`;
    },
  };
}
