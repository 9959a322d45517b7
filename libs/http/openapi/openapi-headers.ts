import type { JsonSchema } from '../contract/declared.js';

const text = (description: string, example: string): JsonSchema => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Response headers that many operations share. */
export const COMMON_HEADERS: Record<string, JsonSchema> = {
  'X-Request-Id': text(
    'Id of this request: the one you sent, if it was 1 to 64 characters of A-Z a-z 0-9 . _ -, else a new one. Quote it in reports.',
    'req_01KAJ5W7QF2M3N4P5R6S7T8V9W',
  ),
  'X-Log-Position': text('Where the write stands in the log. Send it back with a GET to read your own write.', '4211'),
  ETag: text('Weak tag of this state; send it back in If-None-Match.', 'W/"42.7"'),
  'Cache-Control': text('Who may keep the answer and for how long.', 'private, no-cache'),
  'Content-Language': text('Language of the texts.', 'de'),
  Vary: text('Request headers that the answer depends on.', 'Authorization, Accept-Encoding'),
  Link: text('Next page of a list (RFC 8288).', '</v1/purposes?cursor=WzEsNDJd>; rel="next"'),
  Location: text('Where the created thing is.', '/v1/receipts/rct_01KAJ5W7QF2M3N4P5R6S7T8V9W'),
  'Idempotent-Replayed': text('`true` where this is the first answer to the same Idempotency-Key once more.', 'true'),
  'RateLimit-Policy': text(
    'The limit that applies to the key, in units of work: a record and a read are one each.',
    '"default";q=250;w=5',
  ),
  RateLimit: text('Units that are left of it, and seconds until all are there again.', '"default";r=249;t=1'),
  'Retry-After': text('Seconds to wait before the next attempt.', '1'),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer realm="assent"'),
  Allow: text('Methods that the path has.', 'GET, HEAD'),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1796083200'),
  Sunset: text('When the operation goes away (RFC 8594).', 'Wed, 01 Dec 2027 00:00:00 GMT'),
};
