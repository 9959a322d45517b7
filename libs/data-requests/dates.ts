import { epochMs, instantOf, type Instant } from '../kernel/index.js';
import { dueAt, weekendOf, type DatedRule, type Pause, type Period } from '../policy/index.js';
import type { DataRequestType, RequestTerms } from './events.js';

/** The operator is warned this long before a request is due, in ms; of a shorter period when half of it is over. */
const WARNED_BEFORE_MS = 7 * 86_400_000;

/** What people may ask for without proving who they are: a request for another person harms no one (CCPA regulations §7026(d), §7027). */
const OPT_OUTS: readonly DataRequestType[] = [
  'OPT_OUT_SALE_SHARE',
  'OPT_OUT_TARGETED_ADS',
  'OPT_OUT_PROFILING',
  'LIMIT_SENSITIVE',
];
export const isOptOut = (type: DataRequestType): boolean => OPT_OUTS.includes(type);

/** The law names some opt-outs only; of the others its period for opting out of sale holds. */
const typeInLaw = (type: DataRequestType): string => (isOptOut(type) ? 'OPT_OUT_SALE_SHARE' : type);

/** What the law of a place says of a request. */
export function termsOfRequest(type: DataRequestType, { id, rule, place }: DatedRule): RequestTerms {
  const { exceptions, acknowledgement, clockStops, ...usual } = rule.dataRequests;
  const named = exceptions.find(({ types }) => (types as readonly string[]).includes(type));
  const byLaw = exceptions.find(({ types }) => (types as readonly string[]).includes(typeInLaw(type)));
  const { dueDays, unit, extensionDays }: Period = named ?? byLaw ?? usual;
  return {
    rule: id,
    dueDays,
    unit,
    extensionDays,
    acknowledgement: acknowledgement && { dueDays: acknowledgement.dueDays, unit: acknowledgement.unit },
    clockStops,
    zone: place?.zone ?? 'UTC',
    weekend: weekendOf(place?.code ?? ''),
  };
}

/** No holidays are known of any place: a date of business days may be some days too early, never too late. */
const NO_HOLIDAYS: ReadonlySet<string> = new Set();
const calendarOf = ({ zone, weekend }: RequestTerms) => ({ zone, weekend, holidays: NO_HOLIDAYS });

/** Within what the receipt of a request must be confirmed; null where the law does not say. */
export function acknowledgeBy(terms: RequestTerms, receivedAt: Instant): Instant | null {
  const { acknowledgement } = terms;
  return acknowledgement && dueAt(receivedAt, { ...acknowledgement, extensionDays: null }, calendarOf(terms));
}

export interface RequestDates {
  /** When it must be answered without an extension. */
  firstDueAt: Instant | null;
  /** When it must be answered. */
  dueAt: Instant | null;
}

/** When a request must be answered. Both are null as long as the clock stands still, and where the law sets no period. */
export function datesOf(
  terms: RequestTerms,
  receivedAt: Instant,
  { extended, pauses }: { extended: boolean; pauses: readonly Pause[] },
): RequestDates {
  const calendar = calendarOf(terms);
  const firstDueAt = dueAt(receivedAt, terms, calendar, { pauses });
  return { firstDueAt, dueAt: extended ? dueAt(receivedAt, terms, calendar, { extended, pauses }) : firstDueAt };
}

/** From when on a request is due soon. */
export const dueSoonFrom = (receivedAt: Instant, due: Instant): Instant => {
  const [from, to] = [epochMs(receivedAt), epochMs(due)];
  return instantOf(Math.max(to - WARNED_BEFORE_MS, from + Math.floor((to - from) / 2)));
};
