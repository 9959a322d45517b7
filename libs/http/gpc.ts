import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request carries Global Privacy Control (W3C, "The Sec-GPC Header Field for HTTP Requests"): `1` is the only
 * value that says anything, and where the field came more than once, as lines or in one of them, a single `1` counts.
 */
export const hasGpc = ({ 'sec-gpc': sent = '' }: IncomingHttpHeaders): boolean =>
  [sent].flat().some((line) => line.split(',').some((value) => value.trim() === '1'));
