import type { Environment, Fold, Instant } from '../kernel/index.js';
import type { SigningKeyEvent } from './events.js';

/** What the log says of one signing key. */
export interface SigningPeriod {
  number: number;
  /** Null of the first key, which was never announced: only the vault knows it. */
  kid: string | null;
  /** Public key, base64url; null of the first. */
  x: string | null;
  announcedAt: Instant | null;
  /** Null: from the beginning. */
  signsFrom: Instant | null;
  revokedAt: Instant | null;
}

/** By environment, in the order of their numbers. */
export type SigningKeysState = Readonly<Record<Environment, readonly SigningPeriod[]>>;

const FIRST: SigningPeriod = { number: 1, kid: null, x: null, announcedAt: null, signsFrom: null, revokedAt: null };

export const signingKeysFold: Fold<SigningKeysState, SigningKeyEvent> = {
  initial: () => ({ test: [FIRST], live: [FIRST] }),
  evolve: (state, { type, data }) => {
    const periods = state[data.env];
    switch (type) {
      case 'SigningKeyAnnounced': {
        const { number, kid, x, announcedAt, signsFrom } = data;
        return { ...state, [data.env]: [...periods, { number, kid, x, announcedAt, signsFrom, revokedAt: null }] };
      }
      case 'SigningKeyRevoked':
        return {
          ...state,
          [data.env]: periods.map((each) =>
            each.number === data.number ? { ...each, revokedAt: data.revokedAt } : each,
          ),
        };
      default:
        // Passing what we do not know could sign with a key that a newer release took back.
        throw new Error(`the stream of signing keys holds an unknown event "${type as string}"`);
    }
  },
};

/**
 * The key that signs what is recorded at a moment: of those whose time has come the one whose time came last. One that
 * was revoked before its time came never signs; one that is revoked later has signed what was recorded until its successor.
 */
export function keyInForce(periods: readonly SigningPeriod[], at: Instant): SigningPeriod {
  let inForce = periods[0]!;
  for (const period of periods)
    if (hasBegun(period, at) && !neverSigned(period) && startOf(period) >= startOf(inForce)) inForce = period;
  return inForce;
}

/** PUBLISHED: announced, and its time has not come. RETIRED: another one signs now, and what it signed stays valid. */
export const KEY_STANDINGS = ['PUBLISHED', 'SIGNING', 'RETIRED', 'REVOKED'] as const;
export type KeyStanding = (typeof KEY_STANDINGS)[number];

export function standingOfKey(periods: readonly SigningPeriod[], period: SigningPeriod, at: Instant): KeyStanding {
  if (period.revokedAt !== null) return 'REVOKED';
  if (!hasBegun(period, at)) return 'PUBLISHED';
  return keyInForce(periods, at) === period ? 'SIGNING' : 'RETIRED';
}

/**
 * When another key takes over, or took over: what is recorded from then on this one does not sign. Null where none is
 * announced. Of one that was revoked before its time, that very time: it signs nothing.
 */
export function signsUntil(periods: readonly SigningPeriod[], period: SigningPeriod): Instant | null {
  if (neverSigned(period)) return period.signsFrom;
  const [own, began] = [periods.indexOf(period), startOf(period)];
  // Of two that begin at the same moment the one that was announced later signs.
  const takingOver = periods
    .filter((each, i) => !neverSigned(each) && (i > own ? startOf(each) >= began : startOf(each) > began))
    .map(startOf);
  return takingOver.length === 0 ? null : takingOver.reduce((a, b) => (a < b ? a : b));
}

const BEFORE_ALL = '';
const startOf = ({ signsFrom }: SigningPeriod): Instant => signsFrom ?? BEFORE_ALL;
const hasBegun = (period: SigningPeriod, at: Instant): boolean => startOf(period) <= at;
export const neverSigned = (period: SigningPeriod): boolean =>
  period.revokedAt !== null && period.revokedAt <= startOf(period);
