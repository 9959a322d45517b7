import { errorOf, type AssentError, type Problem } from './errors.js';

/*
 * Reads the writes that the offline queue keeps: decisions on purposes, alone or as a batch, or choices of a preference
 * centre. Pure: the queue asks these functions what to do with each.
 */

/** One decision, or the choices of one subject. */
export interface Said {
  decision?: string;
  values?: { value?: unknown }[];
  globalOptOut?: boolean;
  givenAt?: string;
  givenSecondsAgo?: number;
  expiresAt?: string;
  purposeVersion?: number;
  idempotencyKey?: string;
  collection?: { presentationToken?: string };
}

interface Body extends Said {
  records?: Said[];
}

/** The outcome of one of them. */
export interface Outcome {
  /** Why nothing was recorded; null if it was recorded. */
  refused: AssentError | null;
  /** By the clock of the service, in ms; NaN if nothing was recorded. */
  givenAt: number;
  recordedAt: number;
}

interface Recorded {
  givenAt: string;
  recordedAt: string;
}
interface BatchResult {
  results: { record?: Recorded; error?: Problem }[];
}

export const saidIn = (body: string): Said[] => {
  const whole = JSON.parse(body) as Body;
  return whole.records ?? [whole];
};

/** Whether the person refuses by it. */
export const refuses = ({ decision, values = [], globalOptOut }: Said): boolean =>
  decision === undefined
    ? globalOptOut === true || values.some(({ value }) => value === false)
    : ['DENIED', 'WITHDRAWN', 'OBJECTED'].includes(decision);

/** Adds its age to each decision that names no time itself; `ageMs` returns the age. */
export function dated(body: string, ageMs: (said: Said) => number): string {
  const withAge = (said: Said): Said => {
    const seconds = Math.floor(ageMs(said) / 1000) + (said.givenSecondsAgo ?? 0);
    return said.givenAt !== undefined || seconds <= 0 ? said : { ...said, givenSecondsAgo: seconds };
  };
  const whole = JSON.parse(body) as Body;
  return JSON.stringify(whole.records ? { ...whole, records: whole.records.map(withAge) } : withAge(whole));
}

export const allRefused = (body: string, refused: AssentError): Outcome[] =>
  saidIn(body).map(() => outcome({ refused }));

/** The outcomes in an answer, in the order of the decisions. An ATOMIC batch refuses all of them because of one. */
export function outcomesOf(answer: unknown): Outcome[] {
  const { results } = (answer ?? {}) as Partial<BatchResult>;
  if (!results) return [outcome({ record: answer as Recorded | null })];
  const first = results.find(({ error }) => error)?.error;
  return results.map(({ record, error = first }) => outcome(record ? { record } : { refused: errorOf(422, error, 0) }));
}

const outcome = ({ record, refused = null }: { record?: Recorded | null; refused?: AssentError | null }): Outcome => ({
  refused,
  givenAt: Date.parse(record?.givenAt ?? ''),
  recordedAt: Date.parse(record?.recordedAt ?? ''),
});

/** The body of a write that repeats only the decisions at these places. */
export function saidAgain(body: string, places: readonly number[]): string {
  const said = saidIn(body);
  const again = places.map((place) => undated(said[place]!));
  return JSON.stringify((JSON.parse(body) as Body).records ? { records: again } : again[0]);
}

/** Removes the time; from a refusal also proof and version, which it does not need and the service could refuse. */
function undated(said: Said): Said {
  const dateless = { ...said, givenAt: undefined, givenSecondsAgo: undefined, idempotencyKey: undefined };
  if (!refuses(said)) return dateless;
  const { collection, values, globalOptOut } = said;
  return {
    ...dateless,
    expiresAt: undefined,
    purposeVersion: undefined,
    collection: collection && { ...collection, presentationToken: undefined },
    values: values?.filter(({ value }) => value === false),
    globalOptOut: globalOptOut || undefined,
  };
}
