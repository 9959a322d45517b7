import { topicPath, type FieldValue, type TemplateView } from '../../catalogue/index.js';
import type { PreferencesView } from '../../preferences/index.js';
import type { WantedPreferences } from '../../preferences/services.js';

type Field = TemplateView['sections'][number]['fields'][number];

/** What stands in the form for one field. */
export interface Answer {
  /** Of a topic whether it is wanted, a wish that waits for confirmation included. */
  value: FieldValue;
  /** Topics. */
  frequency?: string | null;
  /** Topics: the day, `2027-01-31`. */
  pausedUntil?: string | null;
}

const fieldsIn = ({ sections }: TemplateView): Field[] => sections.flatMap(({ fields }) => fields);

/** What the form shows of each field, by its key: what was said, else what the template shows instead. */
export function shownAnswers(template: TemplateView, view: PreferencesView): Record<string, Answer> {
  const answerTo = (field: Field): Answer => {
    if (field.topic === null) return { value: view.fields[field.key]?.value ?? emptyOf(field) };
    const topic = view.channels[field.channel!]?.topics[field.topic];
    return {
      value: topic?.state === 'GRANTED' || topic?.state === 'PENDING',
      frequency: topic?.frequency ?? null,
      pausedUntil: topic?.pausedUntil?.slice(0, 10) ?? null,
    };
  };
  return Object.fromEntries(fieldsIn(template).map((field) => [field.key, answerTo(field)]));
}

/** What a person chose in the form, by the key of the field. */
export const answersIn = (posted: Readonly<Record<string, string>>, template: TemplateView): Record<string, Answer> =>
  Object.fromEntries(fieldsIn(template).map((field) => [field.key, answerIn(posted, field)]));

function emptyOf({ kind, default: shown }: Field): FieldValue {
  if (shown !== null) return shown;
  return kind === 'MULTI_SELECT' ? [] : kind === 'TOGGLE' ? false : null;
}

/**
 * What a person changed in the form. Only that is recorded: what they left as it was may have changed elsewhere meanwhile,
 * and an untouched default is no answer.
 */
export function changesIn(posted: Readonly<Record<string, string>>, template: TemplateView): WantedPreferences {
  const { answers, optedOut } = beforeOf(posted['before']);
  const values = fieldsIn(template).flatMap((field) => {
    const before = answers[field.key] ?? { value: emptyOf(field) };
    const now = answerIn(posted, field);
    const changed = {
      ...(differ(before.value, now.value) && { value: now.value }),
      ...(field.topic !== null && differ(before.frequency, now.frequency) && { frequency: now.frequency ?? null }),
      ...(field.topic !== null &&
        differ(before.pausedUntil, now.pausedUntil) && {
          pausedUntil: now.pausedUntil && `${now.pausedUntil}T00:00:00.000Z`,
        }),
    };
    const name = field.topic === null ? field.key : topicPath(field.channel!, field.topic);
    return Object.keys(changed).length === 0 ? [] : [{ field: name, ...changed }];
  });
  const optOut = posted['opt-out'] !== undefined;
  return { values, ...(optOut !== optedOut && { globalOptOut: optOut }) };
}

/** What the form showed. It came back from a browser, so nothing of it is believed but what was changed. */
function beforeOf(text = ''): { answers: Partial<Record<string, Answer>>; optedOut: boolean } {
  try {
    const { answers, optedOut } = JSON.parse(text) as { answers?: unknown; optedOut?: unknown };
    return {
      answers: typeof answers === 'object' && answers !== null ? (answers as Record<string, Answer>) : {},
      optedOut: optedOut === true,
    };
  } catch {
    return { answers: {}, optedOut: false };
  }
}

function answerIn(posted: Readonly<Record<string, string>>, field: Field): Answer {
  const text = posted[`value.${field.key}`];
  const given = (name: string): string | null => posted[`${name}.${field.key}`] || null;
  if (field.topic !== null)
    return { value: text !== undefined, frequency: given('often'), pausedUntil: given('pause') };
  switch (field.kind) {
    case 'TOGGLE':
      return { value: text !== undefined };
    case 'MULTI_SELECT':
      return { value: field.options.flatMap(({ value }, i) => (`choice.${field.key}.${i}` in posted ? [value] : [])) };
    case 'NUMBER':
      // What is no number is refused by its field, with the place.
      return { value: text?.trim() ? (Number.isFinite(Number(text)) ? Number(text) : text) : null };
    default:
      return { value: text || null };
  }
}

const differ = (before: unknown, now: unknown): boolean =>
  JSON.stringify(before ?? null) !== JSON.stringify(now ?? null);

/** The key of the field that a refusal is about, by the place that it names in the values that were sent. */
export function fieldRefused(
  path: string | undefined,
  { values }: WantedPreferences,
  template: TemplateView,
): string | null {
  const at = /^values\[(\d+)\]/.exec(path ?? '')?.[1];
  const name = at === undefined ? undefined : values[Number(at)]?.field;
  const found = fieldsIn(template).find(
    (field) => name === (field.topic === null ? field.key : topicPath(field.channel!, field.topic)),
  );
  return found?.key ?? null;
}
