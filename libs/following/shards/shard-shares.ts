/** Who has a shard, and who asks for it; only those who live. */
export interface ShardStanding {
  shard: number;
  /** Null where no process owns it. */
  holder: string | null;
  wantedBy: string | null;
}

/**
 * Shards are divided evenly among the processes that serve a read model. A process with less than its share asks those
 * who have more; an owner that is asked gives away what it has above its own share, and never goes below it.
 *
 * A share is the number of shards divided by that of the living processes, rounded down. While one process is below it,
 * another is above it, for the shares together are no more than all shards. Each transfer brings a process below its
 * share one nearer to it and no other below. So transfers come to an end, with every process at the share at least.
 */
function shareOf(standings: readonly ShardStanding[], self: string): number {
  const living = new Set([self, ...standings.flatMap(({ holder, wantedBy }) => [holder ?? self, wantedBy ?? self])]);
  return Math.floor(standings.length / living.size);
}

/** The shards that a process asks for, those that it has asked for before included. */
export function shardsToAskFor(standings: readonly ShardStanding[], self: string): number[] {
  const share = shareOf(standings, self);
  const owned = standings.filter(({ holder }) => holder === self).length;
  const askedFor = standings.filter(({ holder, wantedBy }) => wantedBy === self && holder !== self);
  const others = standings.filter(({ holder, wantedBy }) => wantedBy === null && holder !== null && holder !== self);
  const left = new Map<string, number>();
  for (const { holder } of others) left.set(holder!, (left.get(holder!) ?? 0) + 1);
  const wanted = askedFor.map(({ shard }) => shard);
  for (const { shard, holder } of others) {
    if (owned + wanted.length >= share) break;
    if (left.get(holder!)! <= share) continue;
    left.set(holder!, left.get(holder!)! - 1);
    wanted.push(shard);
  }
  return wanted.slice(0, Math.max(0, share - owned));
}

/** The shards that an owner gives to those who ask for them. */
export function shardsToGive(standings: readonly ShardStanding[], self: string): number[] {
  const owned = standings.filter(({ holder }) => holder === self);
  const surplus = Math.max(0, owned.length - shareOf(standings, self));
  return owned
    .filter(({ wantedBy }) => wantedBy !== null && wantedBy !== self)
    .slice(0, surplus)
    .map(({ shard }) => shard);
}
