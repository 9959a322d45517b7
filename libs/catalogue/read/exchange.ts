import type { Request, Response } from 'express';
import { ifNoneMatchHits } from '../../http/answers/conditional.js';
import { acceptedLocales } from '../../pages/locale.js';

/** How long a read that names the position of a write waits until this process knows that write. */
export const OWN_WRITE_WAIT_MS = 1_500;

/** Wanted languages, best first: that of the query, then those of the header. */
export const wishesOf = (request: Request, locale: string | undefined): string[] => [
  ...(locale === undefined ? [] : [locale]),
  ...acceptedLocales(request.headers['accept-language']),
];

/**
 * Sets the caching headers of an answer in these languages. If the caller has the answer already, answers 304 and
 * returns true.
 */
export function cached(request: Request, response: Response, etag: string, locales: readonly string[]): boolean {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, max-age=300');
  // `vary` parses the present value; mostly only the guard has written to it.
  if (response.getHeader('Vary') === 'Origin') response.setHeader('Vary', 'Origin, Accept-Language, Authorization');
  else response.vary('Accept-Language').vary('Authorization');
  if (locales.length > 0) response.setHeader('Content-Language', locales.join(', '));
  if (!ifNoneMatchHits(request.headers['if-none-match'], etag)) return false;
  response.status(304);
  return true;
}
