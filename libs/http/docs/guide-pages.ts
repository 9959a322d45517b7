import { Marked, type RendererObject, type Token, type TokenizerObject, type Tokens } from 'marked';
import { addressOf, type Guide } from './guide-files.js';
import { html, NOTHING, trusted, type Html } from '../../pages/html.js';
import { docsPage, guideStyle } from './page.js';

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
  const prose = (tokens: Token[]): Html => trusted(marked.parser(tokens));
  return docsPage({
    title: depth === 1 ? `${text} – Assent` : 'Assent',
    prefix,
    current: 'guides',
    head: guideStyle(prefix),
    main: html`${prose([title])}${name !== '' && html`<p><a href="${prefix}/docs/guides">All guides</a></p>\n${contents(rest)}`}${prose(rest)}`,
  });
}

/** As GitHub makes them, so that links work there and here. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const plain = (title: string): string => title.replaceAll('`', '');

function contents(tokens: readonly Token[]): Html {
  const sections = tokens.filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2);
  if (sections.length < 3) return NOTHING;
  const items = sections.map(({ text }) => html`<li><a href="#${anchorOf(text)}">${plain(text)}</a></li>`);
  return html`<nav class="toc" aria-label="On this page"><ul>${items}</ul></nav>\n`;
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
      const id = depth !== 1 && html` id="${anchorOf(text)}"`;
      return html`<h${depth}${id}>${trusted(this.parser.parseInline(tokens))}</h${depth}>\n`.toString();
    },
    code({ text, lang = '' }) {
      const label = numbered(LANGUAGES[lang] ?? 'Example');
      return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>\n`.toString();
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = placed(href);
      return address === null ? text : html`<a href="${address}">${trusted(text)}</a>`.toString();
    },
    table({ header, rows }) {
      const shown = (tokens: Token[]): Html => trusted(this.parser.parseInline(tokens));
      const line = (cells: Tokens.TableCell[]): Html =>
        html`<tr>${cells.map(({ tokens }) => html`<td>${shown(tokens)}</td>`)}</tr>\n`;
      // A heading that is empty says nothing; a row of them is only what Markdown asks for.
      const headings = header.map(({ text, tokens }) =>
        text === '' ? html`<td></td>` : html`<th scope="col">${shown(tokens)}</th>`,
      );
      const head = header.some(({ text }) => text !== '') && html`<thead><tr>${headings}</tr></thead>\n`;
      const table = html`<table>\n${head}<tbody>\n${rows.map(line)}</tbody>\n</table>\n`;
      if (header.length < WIDE) return table.toString();
      return html`<div class="wide" tabindex="0" role="region" aria-label="${numbered('Table')}">\n${table}</div>\n`.toString();
    },
    /** The one element that pages hold is an image of their own; whatever else looks like one is shown as it stands. */
    html({ text }) {
      const [, src, alt, width] = /^<img src="([^"]+)" alt="([^"]*)" width="(\d+)">\n*$/.exec(text) ?? [];
      const address = src && placed(src);
      if (!address) return html`${text}`.toString();
      return html`<p><img src="${address}" alt="${alt!}" width="${width}"></p>\n`.toString();
    },
  };
}
