import { describe, expect, it } from '@jest/globals';
import { GroupCommit } from './group-commit.js';

/** Notes groups, and ends each when the test says so. */
function recording() {
  const groups: number[][] = [];
  const ends: (() => void)[] = [];
  const commit = new GroupCommit<number, number>((items) => {
    groups.push(items);
    return new Promise((resolve) => ends.push(() => resolve(items.map((item) => item * 10))));
  });
  return { groups, ends, commit };
}

/** Until the callbacks that are due now have run. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a group commit', () => {
  it('takes all that one turn of the event loop brings as one group, in their order', async () => {
    const { groups, ends, commit } = recording();
    const answers = [commit.submit(1)];
    await Promise.resolve();
    process.nextTick(() => answers.push(commit.submit(2)));
    await turn();
    expect(groups).toEqual([[1, 2]]);
    ends[0]!();
    expect(await Promise.all(answers)).toEqual([10, 20]);
  });

  it('lets whoever comes while a group is written go together in the next one', async () => {
    const { groups, ends, commit } = recording();
    const first = commit.submit(1);
    await turn();
    const others = [2, 3].map((item) => commit.submit(item));
    await turn();
    expect(groups).toEqual([[1]]);
    ends[0]!();
    expect(await first).toBe(10);
    await turn();
    ends[1]!();
    expect(await Promise.all(others)).toEqual([20, 30]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  it('gathers longer after a group of several, and not after a single item', async () => {
    const groups: number[][] = [];
    const work = async (items: number[]) => {
      groups.push(items);
      return items;
    };
    const commit = new GroupCommit<number, number>(work, { gatherMs: 1_000 });
    await commit.submit(1);
    await commit.submit(2);
    await Promise.all([commit.submit(3), commit.submit(4)]);
    const answers = [commit.submit(5)];
    for (let turns = 0; turns < 5; turns++) await turn();
    answers.push(commit.submit(6));
    await Promise.all(answers);
    expect(groups).toEqual([[1], [2], [3, 4], [5, 6]]);
  });

  it('takes of each key one item at a time, in their order, and no more than a group may hold', async () => {
    const groups: string[][] = [];
    const commit = new GroupCommit<string, string>(
      async (items) => {
        groups.push(items);
        return items;
      },
      { keyOf: (item) => item[0]!, size: { of: (item) => item.length, max: 6 }, groupMax: 3 },
    );
    const items = ['a1', 'a2', 'b1', 'c123456', 'c2', 'd1', 'e1'];
    expect(await Promise.all(items.map((item) => commit.submit(item)))).toEqual(items);
    expect(groups).toEqual([['a1', 'b1', 'd1'], ['a2', 'e1'], ['c123456'], ['c2']]);
  });

  it('goes on with the next group where an answer of the one before takes long', async () => {
    let end!: (n: number) => void;
    const late = new Promise<number>((resolve) => (end = resolve));
    const commit = new GroupCommit<number, number>(async (items) => items.map((item) => (item === 1 ? late : item)));
    const first = commit.submit(1);
    expect(await commit.submit(2)).toBe(2);
    expect(await commit.submit(3)).toBe(3);
    end(10);
    expect(await first).toBe(10);
  });

  it('refuses the items that wait when it is closed, and more than may wait', async () => {
    const { ends, commit } = recording();
    const first = commit.submit(1);
    await turn();
    const waiting = commit.submit(2);
    const closed = commit.close();
    await expect(waiting).rejects.toThrow('write queue');
    ends[0]!();
    await closed;
    expect(await first).toBe(10);
  });
});
