import { parseInstant, plusMs, type Instant, type Refusal } from '../kernel/index.js';
import { consentRefusals } from './refusals.js';

/** How far back a subject's decision may be dated: a day, in seconds. */
export const GIVEN_SECONDS_AGO_MAX = 86_400;

export const GIVEN_SECONDS_AGO = {
  description:
    'How many seconds ago it was decided, for callers whose clock cannot be trusted: the service dates it by its own. At most a day. Instead of givenAt, never beside it. It may differ between tries of one request: an Idempotency-Key does not count it.',
  example: 90,
  max: GIVEN_SECONDS_AGO_MAX,
  optional: true,
};

/** When something was said, in the words of a request. */
export interface Given {
  /** By the clock of the caller. */
  givenAt?: string;
  /** By the clock of the service. */
  givenSecondsAgo?: number;
}

/** The moment that a request names; undefined where it names none. `at`: the server's clock. */
export function givenAtOf({ givenAt, givenSecondsAgo }: Given, at: Instant): Instant | undefined {
  if (givenSecondsAgo !== undefined) return plusMs(at, -1000 * givenSecondsAgo);
  return givenAt === undefined ? undefined : parseInstant(givenAt)!;
}

/** Why a request cannot be dated: it names the moment in both ways. */
export const givenTwice = ({ givenAt, givenSecondsAgo }: Given): Refusal | null =>
  givenAt !== undefined && givenSecondsAgo !== undefined ? consentRefusals.givenTwice() : null;

/** What a request is fingerprinted over: how long ago something was said grows from one try to the next. */
export function withoutAge<T extends Given>({ givenSecondsAgo: _, ...request }: T): Omit<T, 'givenSecondsAgo'> {
  return request;
}
