import { fieldsOf, type PublishedTemplate, type TemplateChannel } from '../catalogue/index.js';
import type { KnownChannel } from './view.js';

/** The kind of identifier that a channel is verified by; null: the channel reaches the person without an address. */
const KINDS: Record<TemplateChannel['verification'], string | null> = { EMAIL: 'email', PHONE: 'phone', NONE: null };

/** The channels of a template with their topics; none where there is no template. */
export function knownChannels(template: PublishedTemplate | undefined): KnownChannel[] {
  if (!template) return [];
  const fields = fieldsOf(template.definition);
  return template.definition.channels.map(({ key, verification }) => ({
    key,
    verifiedBy: KINDS[verification],
    topics: fields.flatMap(({ channel, topic }) => (channel === key && topic !== null ? [topic] : [])),
  }));
}

export const verifiedByChannel = (template: PublishedTemplate | undefined): Record<string, string | null> =>
  Object.fromEntries((template?.definition.channels ?? []).map(({ key, verification }) => [key, KINDS[verification]]));
