const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** What of a request its deadline follows from. */
export interface Dated {
  readonly dueAt: string | null;
  readonly extendedDueAt: string | null;
  readonly overdue: boolean;
  readonly closedAt: string | null;
  readonly clock: { readonly pausedSince: string | null };
}

/** How a deadline stands: whole days that are left, or by which it was missed. */
export type Due =
  | { readonly kind: 'closed' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'none' }
  | { readonly kind: 'over'; readonly days: number; readonly lastMoment: string }
  | { readonly kind: 'left'; readonly days: number; readonly hours: number; readonly lastMoment: string };

/** `now` in ms. The service names the first moment that is too late; a screen shows the last one that is not. */
export function dueOf(request: Dated, now: number): Due {
  if (request.closedAt !== null) return { kind: 'closed' };
  if (request.clock.pausedSince !== null) return { kind: 'stopped' };
  const at = request.extendedDueAt ?? request.dueAt;
  if (at === null) return { kind: 'none' };
  const left = Date.parse(at) - now;
  const lastMoment = new Date(Date.parse(at) - MINUTE_MS).toISOString();
  if (left <= 0) return { kind: 'over', days: Math.floor(-left / DAY_MS), lastMoment };
  return { kind: 'left', days: Math.floor(left / DAY_MS), hours: Math.ceil(left / HOUR_MS), lastMoment };
}
