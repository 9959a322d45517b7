import { html, type Html } from '../../pages/html.js';
import { GUIDES } from './guide-files.js';
import { momentaryPage, SEARCH } from './page.js';
import type { SearchedPart } from './search-index.js';
import type { Hit } from './searcher.js';

/** Characters of a text around what was found. */
const EXCERPT = 180;

/** `/docs/search?q=`: what was found, as a page; the same words give the same hits in the field at the top of each page. */
export function searchPage(
  prefix: string,
  query: string,
  hits: readonly Hit[],
  parts: readonly SearchedPart[],
): ReturnType<typeof momentaryPage> {
  return momentaryPage({
    title: query === '' ? 'Search – Assent' : `${query} – Search – Assent`,
    prefix,
    at: SEARCH,
    heading: query === '' ? 'Search' : html`Search: ${query}`,
    query,
    main: found(prefix, query, hits, parts),
  });
}

function found(prefix: string, query: string, hits: readonly Hit[], parts: readonly SearchedPart[]): Html {
  const guides = html`<a href="${prefix}${GUIDES}">list of all guides</a>`;
  if (query === '')
    return html`<p>Type a few words into the field above: of a guide, an operation, a setting or an error.</p>`;
  if (hits.length === 0)
    return html`<p>Nothing holds all of these words. Try fewer of them, or their beginnings, or look at the ${guides}.</p>`;
  const items = hits.map(
    ({
      part,
      title,
      heading,
      address,
    }) => html`<li><a href="${prefix}${address}">${heading === '' ? title : heading}</a>
${heading !== '' && html`<span class="soft">${title}</span><br>`}${excerpt(parts[part]!.text, query)}</li>
`,
  );
  return html`<p class="soft">${hits.length === 1 ? 'One place' : `${hits.length} places`}, the best first.</p>
<ol class="found">
${items}</ol>`;
}

/** The text around the first word of the query that it holds, with all of them marked. */
function excerpt(text: string, query: string): Html {
  const asked = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 8);
  const marks = new RegExp(`(${asked.join('|')})`, 'giu');
  const at = Math.max(0, text.search(marks) - EXCERPT / 3);
  const begin = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const shown = text.slice(begin, begin + EXCERPT).replace(/\s\S*$/, text.length > begin + EXCERPT ? ' …' : '$&');
  return html`${begin > 0 && '… '}${shown.split(marks).map((piece, i) => (i % 2 === 0 ? piece : html`<mark>${piece}</mark>`))}`;
}
