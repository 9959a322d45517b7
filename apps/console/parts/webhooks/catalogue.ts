import { answered, api } from '../../api/client.js';
import { useResource, type Resource } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import type { Place } from '../../session.js';

export type EventCatalogue = components['schemas']['WebhookCatalogue'];
export type EventType = components['schemas']['WebhookEventType'];

/** Every type of event that a webhook can carry, and what is promised of deliveries. */
export function useEventCatalogue(place: Place): Resource<EventCatalogue> {
  return useResource(
    () => answered(api.GET('/admin/v1/sites/{site}/{env}/webhook-events', { params: { path: place } })),
    [place.site, place.env],
  );
}

/** Types by what stands before their dot, in the order of the catalogue. */
export function groupsOf(
  types: readonly EventType[],
): readonly (readonly [group: string, types: readonly EventType[]])[] {
  const groups = new Map<string, EventType[]>();
  for (const each of types) {
    const group = each.type.split('.')[0]!;
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return [...groups];
}
