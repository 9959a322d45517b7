import { errorCatalogue, type ErrorEntry } from '../errors/error-catalogue.js';
import { html, joined, type Html } from '../../pages/html.js';
import { docsPage, filter, inline } from './page.js';

const retry = (entry: ErrorEntry): string =>
  entry.retryHelps ? 'Yes: the same request can succeed later.' : 'No: the same request is refused again.';

/** `/docs/errors`: every code on one page. */
export function errorsPage(prefix: string): string {
  const article = (entry: ErrorEntry): Html => html`<article id="${entry.code}" data-filtered>
<h3><a href="${prefix}/docs/errors/${entry.code}"><code>${entry.code}</code></a></h3>
<p>${inline(entry.meaning)}</p>
<p><b>Fix:</b> ${inline(entry.fix)}</p>
</article>`;
  const statuses = [...new Set(errorCatalogue.map((entry) => entry.status))].sort((a, b) => a - b);
  const sections = statuses.map(
    (status) => html`<section data-filtered>
<h2 id="status-${status}">Status ${status}</h2>
${joined(errorCatalogue.filter((entry) => entry.status === status).map(article), '\n')}
</section>`,
  );
  return docsPage({
    title: 'Errors – Assent',
    prefix,
    at: '/docs/errors',
    heading: 'Errors',
    parts: statuses.map((status) => ({ id: `status-${status}`, title: `Status ${status}` })),
    main: html`<p>Every error is <code>{ code, message, hint, issues, requestId, docUrl }</code>. Program against <code>code</code>; texts may change. <code>issues</code> names each fault with its path.</p>
${filter('Filter the errors')}
${joined(sections, '\n')}`,
  });
}

/** `/docs/errors/{code}`: where `docUrl` leads. */
export function errorPage(prefix: string, entry: ErrorEntry): string {
  return docsPage({
    title: `${entry.code} – Assent`,
    prefix,
    at: `/docs/errors/${entry.code}`,
    heading: html`<code>${entry.code}</code>`,
    main: html`<p>${entry.title} <span class="soft">HTTP status ${entry.status}.</span></p>
<h2>What it means</h2>
<p>${inline(entry.meaning)}</p>
<h2>How to fix it</h2>
<p>${inline(entry.fix)}</p>
<h2>Does retrying help?</h2>
<p>${retry(entry)}</p>
<p><a href="${prefix}/docs/errors">All errors</a></p>`,
  });
}

/** The same catalogue as Markdown, kept as `docs/errors.md`; a test compares the two. */
export function renderErrorPages(): string {
  const statuses = [...new Set(errorCatalogue.map((entry) => entry.status))].sort((a, b) => a - b);
  const section = (entry: ErrorEntry): string =>
    `### ${entry.code}\n\n${entry.title} ${entry.meaning}\n\n- **Fix:** ${entry.fix}\n- **Retry helps:** ${entry.retryHelps ? 'yes' : 'no'}\n`;
  return `# Errors

Generated from the error catalogue of the service; a running installation shows the same under \`/docs/errors\`.

Every error has one shape, \`{ code, message, hint, issues: [{ path, message }], requestId, docUrl }\`. Program against \`code\`; texts may change.
If the request prefers \`application/problem+json\`, the members \`type\`, \`title\`, \`status\` and \`detail\` are added (RFC 9457).

${statuses
  .map(
    (status) =>
      `## ${status}\n\n${errorCatalogue
        .filter((entry) => entry.status === status)
        .map(section)
        .join('\n')}`,
  )
  .join('\n')}`;
}
