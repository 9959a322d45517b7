import type { Preferences, PreferenceTemplate, RecordPreferences } from '../../client/types.js';

export type Field = PreferenceTemplate['sections'][number]['fields'][number];
export type FieldValue = Field['default'];

/** What stands in the form for one field. */
export interface Answer {
  /** Of a topic whether it is wanted, a wish that waits for confirmation included. */
  value: FieldValue;
  /** Topics. */
  frequency?: string | null;
  /** Topics: the day, `2027-01-31`. */
  pausedUntil?: string | null;
}

/** By the key of the field. */
export type Answers = Readonly<Record<string, Answer>>;
type Values = NonNullable<RecordPreferences['values']>;

export const fieldsIn = ({ sections }: Pick<PreferenceTemplate, 'sections'>): Field[] =>
  sections.flatMap(({ fields }) => fields);

/** The name under which the service takes a field. */
export const nameOfField = ({ key, channel, topic }: Pick<Field, 'key' | 'channel' | 'topic'>): string =>
  topic === null ? key : `channels.${channel!}.topics.${topic}`;

/** What the form shows of each field: what was said, else what the template shows instead. */
export function shownAnswers(
  template: Pick<PreferenceTemplate, 'sections'>,
  { channels, fields }: Pick<Preferences, 'channels' | 'fields'>,
): Answers {
  const answerTo = (field: Field): Answer => {
    if (field.topic === null) return { value: fields[field.key]?.value ?? emptyOf(field) };
    const topic = channels[field.channel!]?.topics[field.topic];
    return {
      value: topic?.state === 'GRANTED' || topic?.state === 'PENDING',
      frequency: topic?.frequency ?? null,
      pausedUntil: topic?.pausedUntil?.slice(0, 10) ?? null,
    };
  };
  return Object.fromEntries(fieldsIn(template).map((field) => [field.key, answerTo(field)]));
}

function emptyOf({ kind, default: shown }: Field): FieldValue {
  if (shown !== null) return shown;
  return kind === 'MULTI_SELECT' ? [] : kind === 'TOGGLE' ? false : null;
}

const PARTS = ['value', 'frequency', 'pausedUntil'] as const;
const differ = (before: unknown, now: unknown): boolean =>
  JSON.stringify(before ?? null) !== JSON.stringify(now ?? null);

/**
 * What a person changed. Only that is said anew: what they left as it was may have changed elsewhere meanwhile, and a
 * default that was not touched is no answer.
 */
export function changesOf(template: Pick<PreferenceTemplate, 'sections'>, before: Answers, now: Answers): Values {
  return fieldsIn(template).flatMap((field) => {
    const [old, next] = [before[field.key], now[field.key]];
    const parts = PARTS.filter((part) => differ(old?.[part], next?.[part]));
    if (parts.length === 0) return [];
    const changed = parts.map((part) => {
      const said = next?.[part] ?? null;
      return [part, part === 'pausedUntil' && said !== null ? `${String(said)}T00:00:00.000Z` : said];
    });
    return [{ field: nameOfField(field), ...Object.fromEntries(changed) } as Values[number]];
  });
}

/** What a person changed, over what holds since. */
export function kept(before: Answers, now: Answers, since: Answers): Answers {
  const both = ([key, held]: [string, Answer]): [string, Answer] => {
    const touched = PARTS.filter((part) => differ(before[key]?.[part], now[key]?.[part]) && key in now);
    return [key, { ...held, ...Object.fromEntries(touched.map((part) => [part, now[key]![part]])) }];
  };
  return Object.fromEntries(Object.entries(since).map(both));
}

/** The key of the field that a refusal is about, by the place that it names in the values that were sent. */
export function fieldRefused(
  path: string | undefined,
  values: Values,
  template: Pick<PreferenceTemplate, 'sections'>,
): string | null {
  const at = /^values\[(\d+)\]/.exec(path ?? '')?.[1];
  const name = at === undefined ? undefined : values[Number(at)]?.field;
  return fieldsIn(template).find((field) => nameOfField(field) === name)?.key ?? null;
}
