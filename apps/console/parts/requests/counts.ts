import { useEffect } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useResource, type Resource } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { count } from '../../frame/badges.js';
import type { Place } from '../../session.js';

export type RequestCounts = components['schemas']['DataRequestCounts'];

/** How many requests there are; the navigation shows those that are overdue or due soon. */
export function useRequestCounts(place: Place): Resource<RequestCounts> {
  const counts = useResource(
    () => answered(api.GET('/admin/v1/sites/{site}/{env}/data-requests/counts', { params: { path: place } })),
    [place.site, place.env],
  );
  const loaded = counts.value.value;
  useEffect(() => {
    if (loaded.state === 'ready') count('requests', loaded.data.overdue + loaded.data.dueWithin7Days);
  }, [loaded]);
  return counts;
}
