import { CHOICE_COOKIE, SHARED_COOKIE } from '../cookie-names.js';

/**
 * Whether a choice that still counts stands in the `Cookie` header: the one that pages keep for their server, for one of these
 * places, or the one that the pages of a domain share. A place: the region, else the country, else empty.
 */
export function choiceStands(header: string, places: readonly string[], nowMs: number): boolean {
  const cookies = new Map(
    header.split(';').map((each): [string, string] => {
      const at = each.indexOf('=');
      return [each.slice(0, at).trim(), each.slice(at + 1).trim()];
    }),
  );
  const isValid = (until: unknown): boolean => until === null || (typeof until === 'number' && nowMs < until);
  const [chosenAt, until] = cookies.get(CHOICE_COOKIE)?.split(':') ?? [];
  if (until !== undefined && places.includes(chosenAt!) && isValid(until === '' ? null : Number(until))) return true;
  try {
    const [, choice] = JSON.parse(decodeURIComponent(cookies.get(SHARED_COOKIE) ?? '')) as (string | null)[];
    return typeof choice === 'string' && isValid((JSON.parse(choice) as { until?: unknown }).until);
  } catch {
    return false;
  }
}
