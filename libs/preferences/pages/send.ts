import type { ServerResponse } from 'node:http';
import type { Page } from './frame.js';

/** The headers of every page about a link: kept by nobody, found by nobody, and telling the next site nothing. */
export const pageHeaders = ({ html, csp, language }: Page): Record<string, string | number> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': Buffer.byteLength(html),
  'Content-Language': language,
  'Content-Security-Policy': csp,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});

export function sendPage(res: ServerResponse, page: Page, status: number): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(pageHeaders(page))) res.setHeader(name, value);
  res.end(res.req.method === 'HEAD' ? undefined : page.html);
}
