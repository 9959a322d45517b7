import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { components } from '../../api/schema.js';
import { answered, api } from '../../api/client.js';
import { useResource, type Resource } from '../../api/resource.js';
import type { Place } from '../../session.js';
import { language } from '../../words.js';

export type Subject = components['schemas']['Subject'];
export type TimelineItem = components['schemas']['TimelineItem'];
export type Purpose = components['schemas']['Purpose'];

/** The person that a screen shows, and how its parts see each other's changes. */
export interface Shown {
  readonly place: Place;
  readonly id: string;
  /** The instant as of which all is shown; null: now. */
  readonly asOf: string | null;
  /** Grows with each change that was made here; what shows the person asks anew then. */
  readonly turn: number;
  /** Purposes by their keys; empty until they are known. */
  readonly purposes: ReadonlyMap<string, Purpose>;
}

/** Asks again after each change. */
export function useFresh(resource: Pick<Resource<unknown>, 'reload'>, turn: number): void {
  useEffect(() => {
    if (turn > 0) void resource.reload();
  }, [turn]);
}

/** The purposes of the site in the operator's language. */
export function usePurposes(place: Place): ReadonlyMap<string, Purpose> {
  const purposes = useResource(async () => {
    const query = { limit: 200, locale: language.value };
    const { data } = await answered(
      api.GET('/admin/v1/sites/{site}/{env}/purposes', { params: { path: place, query } }),
    );
    return new Map(data.map((purpose) => [purpose.key, purpose]));
  }, [place.site, place.env, language.value]);
  const loaded = purposes.value.value;
  return loaded.state === 'ready' ? loaded.data : NONE;
}
const NONE: ReadonlyMap<string, Purpose> = new Map();

/** Name of a purpose as persons read it; its key where it is not known, such as of one that was retired. */
export const purposeName = (purposes: ReadonlyMap<string, Purpose>, key: string): string =>
  purposes.get(key)?.name ?? key;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The day in the address as of which the screen is shown; null: now. */
export function useDay(): { readonly day: string | null; readonly show: (day: string | null) => void } {
  const { query, path, route } = useLocation();
  const asked = query['asOf'] ?? '';
  return {
    day: DAY.test(asked) && asked < today() ? asked : null,
    show: (day) => route(searchOf(path, { ...query, asOf: day ?? '' }), true),
  };
}

/** The same address with other filters; those that are empty go. */
export function searchOf(path: string, query: Readonly<Record<string, string>>): string {
  const kept = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return kept.size > 0 ? `${path}?${kept}` : path;
}

/** The end of a day in the reader's time zone. */
export const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();

/** The reader's day. */
export function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}
