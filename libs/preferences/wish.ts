import { checkFrequency, checkValue, resolveField, topicPath, type PublishedTemplate } from '../catalogue/index.js';
import { isRefusal, parseInstant, type Refusal } from '../kernel/index.js';
import type { Wish } from './decide.js';
import type { FieldValue } from './events.js';

/** A value as a request names it. */
export interface SentWish {
  field: string;
  value?: FieldValue;
  frequency?: string | null;
  pausedUntil?: string | null;
}

/** A value as it was sent, found in the template and fit for its field. */
export function wishOf(
  template: PublishedTemplate | undefined,
  { field, value, frequency, pausedUntil }: SentWish,
  channel: string | undefined,
  path: string,
): Wish | Refusal {
  const resolved = resolveField(template, field, channel, `${path}.field`);
  if (isRefusal(resolved)) return resolved;
  const refused =
    (value === undefined ? null : checkValue(resolved, value, `${path}.value`)) ??
    (frequency === undefined ? null : checkFrequency(resolved, frequency, `${path}.frequency`));
  if (refused) return refused;
  return {
    resolved,
    field: resolved.kind === 'topic' ? topicPath(resolved.channel, resolved.topic) : resolved.key,
    ...(value !== undefined && { value }),
    ...(frequency !== undefined && { frequency }),
    ...(pausedUntil !== undefined && { pausedUntil: pausedUntil === null ? null : parseInstant(pausedUntil)! }),
  };
}
