import type { ServerResponse } from 'node:http';
import type { ShownPage } from './frame.js';

/**
 * Kept by nobody, found by nobody, telling the next site nothing. `same-origin`: with less, browsers would not say either
 * which page a form comes from.
 */
export const portalHeaders = ({ html, csp, language }: ShownPage): Record<string, string | number> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': Buffer.byteLength(html),
  'Content-Language': language,
  'Content-Security-Policy': csp,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});

export function sendPage(response: ServerResponse, page: ShownPage, status: number): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(portalHeaders(page))) response.setHeader(name, value);
  response.end(response.req.method === 'HEAD' ? undefined : page.html);
}
