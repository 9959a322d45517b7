import type { ServerResponse } from 'node:http';
import type { ShownPage } from './frame.js';

/** The headers of a page that is about this moment: kept by no cache, found by no search engine, telling the next site nothing. */
export const pageHeaders = ({
  html,
  csp,
  language,
  referrer = 'no-referrer',
}: ShownPage): Record<string, string | number> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': Buffer.byteLength(html),
  'Content-Language': language,
  'Content-Security-Policy': csp,
  'Cache-Control': 'no-store',
  'Referrer-Policy': referrer,
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});

export function sendPage(response: ServerResponse, page: ShownPage, status: number): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(pageHeaders(page))) response.setHeader(name, value);
  response.end(response.req.method === 'HEAD' ? undefined : page.html);
}
