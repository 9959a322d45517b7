import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { parseInstant, type Instant, type Position, type Work } from '../kernel/index.js';
import { positionIn } from './position.js';

/** How a state is asked for over HTTP, whatever it is the state of. */
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
  /** Takes down what is read from the log for `fresh`, `asOf` and `knownAt`. */
  work: Work;
}

/** The question of a request: what its query says, held against its contract, and its headers. */
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

/** An answer with its tag, for its caller alone; 304 where the caller has it already, which null says. */
export function answeredWithTag<A>(response: Response, etag: string, answer: A | null): A | undefined {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (answer !== null) return answer;
  response.status(304);
  return undefined;
}
