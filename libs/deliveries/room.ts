/** How many rows of one endpoint this process may take. */
export interface Room {
  endpoint: string;
  room: number;
}

/**
 * Shares free places among the endpoints that want some, one place each in turn, so that an endpoint that wants many does
 * not make the others wait. `turn`, from 0: which endpoint comes first where there are too few places.
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
