import { html, joined, type Html } from '../../pages/html.js';
import { docsPage, guideStyle, inline } from '../../http/docs/page.js';
import { HEADINGS, policyTables, TABLE_CELLS, TABLE_INTRODUCTION, type PolicyTable } from './table.js';

/** `/docs/policy`: every rule on one page, without scripts. */
export function policyPage(prefix: string): string {
  const tables = policyTables();
  const contents = tables.map(({ title }) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>`);
  return docsPage({
    title: 'Law by place – Assent',
    prefix,
    head: guideStyle(prefix),
    main: html`<h1>Law by place</h1>
<p>${inline(TABLE_INTRODUCTION)}</p>
<p><a href="${prefix}/docs/guides/policy">What these data are, and how to review them</a></p>
<nav class="toc" aria-label="On this page"><ul>${contents}</ul></nav>
${joined(tables.map(section), '\n')}`,
  });
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function section({ title, rows, sources }: PolicyTable): Html {
  const id = anchorOf(title);
  const head = joined(
    HEADINGS.map((heading) => html`<th scope="col">${heading}</th>`),
    '',
  );
  const body = rows.map((row) => {
    const [place, ...rest] = TABLE_CELLS(row).map(inline);
    return html`<tr><th scope="row">${place}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  });
  const items = sources.map(({ act, source }) => html`<li>${inline(`${act}: ${source}`)}</li>`);
  return html`<h2 id="${id}">${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}">
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${joined(body, '\n')}
</tbody>
</table>
</div>${
    sources.length === 0
      ? ''
      : html`
<p>Sources:</p>
<ul>
${joined(items, '\n')}
</ul>`
  }`;
}
