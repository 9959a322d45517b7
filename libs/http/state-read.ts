import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { parseInstant, type Instant, type Position, type Work } from '../kernel/index.js';
import { positionIn } from './position.js';

/** How a caller asks for a state over HTTP, of consent or of preferences. */
export interface StateAsked {
  /** From the stream itself: by the query, or by `Cache-Control: no-cache`. */
  fresh: boolean;
  /** As given at that instant. */
  asOf?: Instant;
  /** As the service knew it then. */
  knownAt?: Instant;
  /** The caller's own last write. */
  after: Position | null;
  ifNoneMatch: string | undefined;
  /** Counts the events that are read from the log for `fresh`, `asOf` and `knownAt`. */
  work: Work;
}

/** Reads how a request asks for a state: from its query, checked against its contract, and its headers. */
export function stateAsked(
  { fresh, asOf, knownAt }: { fresh?: boolean; asOf?: string; knownAt?: string },
  headers: IncomingHttpHeaders,
  work: Work,
): StateAsked {
  return {
    fresh: fresh === true || /\bno-cache\b/i.test(headers['cache-control'] ?? ''),
    ...(asOf !== undefined && { asOf: parseInstant(asOf)! }),
    ...(knownAt !== undefined && { knownAt: parseInstant(knownAt)! }),
    after: positionIn(headers),
    ifNoneMatch: headers['if-none-match'],
    work,
  };
}

/** Sets the headers of a private answer with a tag. `answer` null: the caller has it already, and gets a 304. */
export function answeredWithTag<A>(response: Response, etag: string, answer: A | null): A | undefined {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (answer !== null) return answer;
  response.status(304);
  return undefined;
}
