/** A weak entity tag (RFC 9110 8.8.3) of text that already names the state, such as a revision: `W/"42.7"`. */
export const weakETag = (opaque: string): string => `W/"${opaque.replace(/[^\x21\x23-\x7e]/g, '_')}"`;

const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;

/** Whether `If-None-Match` names this tag: weak comparison, lists and `*` (RFC 9110 13.1.2). A header that is not well-formed never hits. */
export function ifNoneMatchHits(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  if (header.trim() === '*') return true;
  const wanted = opaque(etag);
  let at = 0;
  while (at < header.length) {
    while (header[at] === ' ' || header[at] === ',' || header[at] === '\t') at++;
    TAG.lastIndex = at;
    const found = TAG.exec(header);
    if (!found) return false;
    if (found[1] === wanted) return true;
    at = TAG.lastIndex;
  }
  return false;
}

const opaque = (etag: string): string => etag.slice(etag.indexOf('"') + 1, -1);
