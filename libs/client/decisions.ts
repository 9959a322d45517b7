import { errorOf, type AssentError, type Problem } from './errors.js';

/*
 * What a write says that is kept while there is no connection: decisions on purposes, alone or as a batch, or choices of a
 * preference centre. Pure: the queue asks here what is to become of each.
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

/** What became of one of them. */
export interface Outcome {
  /** Why nothing was recorded; null where it was. */
  refused: AssentError | null;
  /** By the clock of the service, in milliseconds; NaN where nothing was recorded. */
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

/** Whether a person says no by it. */
export const refuses = ({ decision, values = [], globalOptOut }: Said): boolean =>
  decision === undefined
    ? globalOptOut === true || values.some(({ value }) => value === false)
    : ['DENIED', 'WITHDRAWN', 'OBJECTED'].includes(decision);

/** With how long ago each was said, where it names no moment itself; `ageMs` answers that. */
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

/** Of an answer, in the order in which they were said. What an ATOMIC batch left out because of another is refused with it. */
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

/** The body of a write that says only these once more. */
export function saidAgain(body: string, places: readonly number[]): string {
  const said = saidIn(body);
  const again = places.map((place) => undated(said[place]!));
  return JSON.stringify((JSON.parse(body) as Body).records ? { records: again } : again[0]);
}

/** Without a moment; of a refusal also without what a service could refuse it for: it needs neither proof nor version. */
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
