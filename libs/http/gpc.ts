import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request carries Global Privacy Control (W3C, "The Sec-GPC Header Field for HTTP Requests"). Only the value `1`
 * means anything. Where the field has several values or lines, one `1` is enough.
 */
export const hasGpc = ({ 'sec-gpc': sent = '' }: IncomingHttpHeaders): boolean =>
  [sent].flat().some((line) => line.split(',').some((value) => value.trim() === '1'));
