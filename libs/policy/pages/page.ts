import { GUIDE_STYLE_HASH } from '../../http/docs/guide-style.js';
import { inline, page } from '../../http/docs/page.js';
import { HEADINGS, policyTables, TABLE_CELLS, TABLE_INTRODUCTION, type PolicyTable } from './table.js';

/** `/docs/policy`: every rule on one page, without scripts. */
export function policyPage(prefix: string): string {
  const tables = policyTables();
  const contents = tables.map(({ title }) => `<li><a href="#${anchorOf(title)}">${title}</a></li>`);
  return page({
    title: 'Law by place – Assent',
    prefix,
    head: `<link rel="stylesheet" href="${prefix}/docs/assets/guides.css?v=${GUIDE_STYLE_HASH}">\n`,
    main: `<h1>Law by place</h1>
<p>${inline(TABLE_INTRODUCTION)}</p>
<p><a href="${prefix}/docs/guides/policy">What these data are, and how to review them</a></p>
<nav class="toc" aria-label="On this page"><ul>${contents.join('')}</ul></nav>
${tables.map(section).join('\n')}`,
  });
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function section({ title, rows, sources }: PolicyTable): string {
  const id = anchorOf(title);
  const head = HEADINGS.map((heading) => `<th scope="col">${heading}</th>`).join('');
  const body = rows.map((row) => {
    const [place, ...rest] = TABLE_CELLS(row).map(inline);
    return `<tr><th scope="row">${place}</th>${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const items = sources.map(({ act, source }) => `<li>${inline(`${act}: ${source}`)}</li>`);
  return `<h2 id="${id}">${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}">
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>
</div>${
    sources.length === 0
      ? ''
      : `
<p>Sources:</p>
<ul>
${items.join('\n')}
</ul>`
  }`;
}
