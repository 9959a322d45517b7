import { resolveField, topicPath, type PublishedTemplate } from '../../catalogue/index.js';
import { isRefusal, type Refusal } from '../../kernel/index.js';
import { verifiedByChannel } from '../known-channels.js';
import { preferenceRefusals } from '../refusals.js';

/** What is to be confirmed, found in the template. */
export interface WantedTopics {
  channel: string;
  /** Kind of identifier that the channel is verified by. */
  verifiedBy: string | null;
  fields: { field: string; channel: string; topic: string }[];
  /** Keys of the fields in the template. */
  keys: string[];
}

/** Topics of one channel, each wanted, each once. */
export function wantedTopics(
  template: PublishedTemplate | undefined,
  values: readonly { field: string; value: boolean }[],
  channel: string | undefined,
): WantedTopics | Refusal {
  const fields: WantedTopics['fields'] = [];
  const keys: string[] = [];
  for (const [i, { field, value }] of values.entries()) {
    const path = `values[${i}]`;
    const resolved = resolveField(template, field, channel, `${path}.field`);
    if (isRefusal(resolved)) return resolved;
    if (resolved.kind !== 'topic' || !value)
      return preferenceRefusals.topicsOnly(resolved.kind === 'topic' ? `${path}.value` : `${path}.field`);
    const named = {
      field: topicPath(resolved.channel, resolved.topic),
      channel: resolved.channel,
      topic: resolved.topic,
    };
    if (fields.some((known) => known.field === named.field)) return preferenceRefusals.namedTwice(`${path}.field`);
    if (fields.length > 0 && fields[0]!.channel !== named.channel)
      return preferenceRefusals.oneChannel(`${path}.field`);
    fields.push(named);
    keys.push(resolved.definition.key);
  }
  const of = fields[0]!.channel;
  return { channel: of, verifiedBy: verifiedByChannel(template)[of] ?? null, fields, keys };
}
