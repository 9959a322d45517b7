import fc from 'fast-check';
import { shardsToAskFor, shardsToGive, type ShardStanding } from './shard-shares.js';

/** What the database holds of the shards of one generation, and processes that look at it one at a time, in any order. */
class Shards {
  readonly standings: { shard: number; holder: string | null; wantedBy: string | null }[];
  transfers = 0;

  constructor(holders: readonly (string | null)[]) {
    this.standings = holders.map((holder, shard) => ({ shard, holder, wantedBy: null }));
  }

  ownedBy = (self: string): number => this.standings.filter(({ holder }) => holder === self).length;

  look(self: string): void {
    for (const shard of shardsToAskFor(this.standings, self)) this.standings[shard]!.wantedBy = self;
    const before = this.ownedBy(self);
    const given = shardsToGive(this.standings, self);
    for (const shard of given) {
      const standing = this.standings[shard]!;
      // It was reserved for the asking process, which takes it.
      standing.holder = standing.wantedBy;
      standing.wantedBy = null;
      this.transfers += 1;
    }
    if (given.length > 0) expect(before - given.length).toBeGreaterThanOrEqual(1);
  }
}

const named = (n: number): string => `process-${n}`;

describe('the shares of processes in the shards of a read model', () => {
  it('come to be even, whoever had the shards before and in whatever order the processes look', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.integer({ min: 1, max: 9 }),
        fc.infiniteStream(fc.nat()),
        (count, processes, order) => {
          const next = (below: number): number => (order.next().value as number) % below;
          const shards = new Shards(Array.from({ length: count }, () => named(next(processes))));
          for (let round = 0; round < 3 * processes + 3; round++) {
            const names = Array.from({ length: processes }, (_, n) => named((n + round + next(processes)) % processes));
            for (const name of new Set([...names, ...Array.from({ length: processes }, (_, n) => named(n))]))
              shards.look(name);
          }
          const share = Math.floor(count / processes);
          for (let n = 0; n < processes; n++) expect(shards.ownedBy(named(n))).toBeGreaterThanOrEqual(share);
          expect(shards.transfers).toBeLessThanOrEqual(count);
          const { transfers } = shards;
          for (let n = 0; n < processes; n++) shards.look(named(n));
          expect(shards.transfers).toBe(transfers);
        },
      ),
    );
  });

  it('leave everything where it is while nobody else is there, and where there are more processes than shards', () => {
    const alone: ShardStanding[] = [0, 1, 2].map((shard) => ({ shard, holder: 'a', wantedBy: null }));
    expect(shardsToAskFor(alone, 'a')).toEqual([]);
    expect(shardsToGive(alone, 'a')).toEqual([]);
    const one: ShardStanding[] = [{ shard: 0, holder: 'a', wantedBy: null }];
    expect(shardsToAskFor(one, 'b')).toEqual([]);
  });

  it('give no more than what is above the own share, however many are asked for', () => {
    const asked: ShardStanding[] = [0, 1, 2, 3].map((shard) => ({ shard, holder: 'a', wantedBy: 'b' }));
    expect(shardsToGive(asked, 'a')).toEqual([0, 1]);
    expect(shardsToAskFor(asked, 'b')).toEqual([0, 1]);
  });
});
