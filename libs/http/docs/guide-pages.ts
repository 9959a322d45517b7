import { Marked, type RendererObject, type Token, type TokenizerObject, type Tokens } from 'marked';
import { codeLabel, listing } from './code.js';
import { addressOf, GUIDES, type Guide } from './guide-files.js';
import { html, trusted, type Html } from '../../pages/html.js';
import { docsPage, type Part } from './page.js';

/** An address that only stands in a text is an example, such as http://HOST:PORT. */
const NO_BARE_LINKS: TokenizerObject = { url: () => undefined };

/** A page of the folder `docs` as HTML: whole without scripts, nothing from elsewhere, links and images to what the service serves. */
export function guidePage(guide: Guide, prefix: string): string {
  const isIndex = guide.name === '';
  const marked = new Marked({ gfm: true, renderer: rendererOf(guide, prefix), tokenizer: NO_BARE_LINKS });
  const [title, ...rest] = tokensOf(guide);
  return docsPage({
    title: `${plain(title.text)} – Assent`,
    prefix,
    at: isIndex ? GUIDES : `${GUIDES}/${guide.name}`,
    heading: trusted(marked.parseInline(title.text) as string),
    parts: partsOf(rest),
    main: trusted(marked.parser(rest)),
    isBroad: isIndex,
  });
}

/** A guide as Markdown tokens, its title first. Throws where a file does not begin with its title. */
export function tokensOf({ file, markdown }: Guide): [Tokens.Heading, ...Token[]] {
  const [title, ...rest] = new Marked({ gfm: true, tokenizer: NO_BARE_LINKS }).lexer(markdown);
  if (title?.type !== 'heading' || (title as Tokens.Heading).depth !== 1)
    throw new Error(`${file} does not begin with its title`);
  return [title as Tokens.Heading, ...rest];
}

/** As GitHub makes them, so that links work there and here. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export const plain = (title: string): string => title.replaceAll('`', '');

const partsOf = (tokens: readonly Token[]): Part[] =>
  tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map(({ text }) => ({ id: anchorOf(text), title: plain(text) }));

function rendererOf({ name, file }: Guide, prefix: string): RendererObject {
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
    /** A heading leads to itself, so that its address can be passed on. */
    heading({ tokens, depth, text }) {
      const id = anchorOf(text);
      const shown = trusted(this.parser.parseInline(tokens));
      return html`<h${depth} id="${id}"><a href="#${id}">${shown}</a></h${depth}>\n`.toString();
    },
    code({ text, lang = '' }) {
      return html`${listing(text, lang, numbered(codeLabel(lang)))}\n`.toString();
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = placed(href);
      return address === null ? text : html`<a href="${address}">${trusted(text)}</a>`.toString();
    },
    table({ header, rows }) {
      const shown = ({ tokens }: Tokens.TableCell): Html => trusted(this.parser.parseInline(tokens));
      // The list of all pages is one of cards: a page, and the question that it answers.
      if (name === '')
        return html`<ul class="cards">\n${rows.map((cells) => html`<li>${cells.map(shown)}</li>\n`)}</ul>\n`.toString();
      const line = (cells: Tokens.TableCell[]): Html =>
        html`<tr>${cells.map((cell) => html`<td>${shown(cell)}</td>`)}</tr>\n`;
      // A heading that is empty says nothing; a row of them is only what Markdown asks for.
      const headings = header.map((cell) =>
        cell.text === '' ? html`<td></td>` : html`<th scope="col">${shown(cell)}</th>`,
      );
      const head = header.some(({ text }) => text !== '') && html`<thead><tr>${headings}</tr></thead>\n`;
      return html`<div class="wide" tabindex="0" role="region" aria-label="${numbered('Table')}">
<table>
${head}<tbody>
${rows.map(line)}</tbody>
</table>
</div>
`.toString();
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
