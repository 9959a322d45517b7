/** How many rows of one endpoint may be taken. */
export interface Room {
  endpoint: string;
  room: number;
}

/**
 * Shares what is free among the endpoints that want some, one by one in turn, so that no endpoint waits because another
 * one wants much. `turn`: who is served first, from 0, where there is not enough for all.
 */
export function shareOut(free: number, wanted: readonly Room[], turn: number): Room[] {
  const hungry = wanted.filter(({ room }) => room > 0);
  const from = hungry.length > 0 ? turn % hungry.length : 0;
  let unserved = [...hungry.slice(from), ...hungry.slice(0, from)];
  const shares = new Map<string, number>();
  for (let left = free; left > 0 && unserved.length > 0;) {
    const each = Math.max(1, Math.floor(left / unserved.length));
    const unsatisfied: Room[] = [];
    for (const { endpoint, room } of unserved) {
      const share = Math.min(each, room, left);
      if (share > 0) shares.set(endpoint, (shares.get(endpoint) ?? 0) + share);
      left -= share;
      if (room > share) unsatisfied.push({ endpoint, room: room - share });
    }
    unserved = unsatisfied;
  }
  return [...shares].map(([endpoint, room]) => ({ endpoint, room }));
}
