import { prefersPage } from '../accept.js';
import type { ErrorBody, ErrorPage } from '../errors/errors.js';
import { statusOf } from '../errors/status.js';
import { html } from '../../pages/html.js';
import { inline, momentaryPage } from './page.js';

/**
 * An error as a page, for a person who opened an unknown address or one of our own pages. Programs get JSON. A person gets
 * JSON too, where the OpenAPI document says so: `isPage` tells that by the name of the operation.
 */
export const failurePages =
  (prefix: string, isPage: (operation: string) => boolean): ErrorPage =>
  (request, _code, error) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    if (request.operation !== undefined && !isPage(request.operation)) return null;
    if (!prefersPage(request.headers.accept)) return null;
    const { html, headers } = failurePage(prefix, error);
    return { html, headers: { ...headers, Vary: 'Accept' } };
  };

function failurePage(
  prefix: string,
  { code, message, hint, issues, requestId }: ErrorBody,
): ReturnType<typeof momentaryPage> {
  const status = statusOf(code);
  const items = issues.map((issue) => html`<li><code>${issue.path}</code> ${inline(issue.message)}</li>`);
  return momentaryPage({
    title: `${status} ${code} – Assent`,
    prefix,
    heading: inline(message),
    main: html`<p>${inline(hint)}</p>
${items.length > 0 && html`<ul>${items}</ul>\n`}<dl class="fields">
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>Code</dt><dd><a href="${prefix}/docs/errors/${code}"><code>${code}</code></a></dd></div>
<div><dt>Request id</dt><dd><code>${requestId}</code></dd></div>
</dl>
<p><a href="${prefix}/">Start page</a></p>`,
  });
}
