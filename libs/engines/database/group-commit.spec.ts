import { describe, expect, it } from '@jest/globals';
import { GroupCommit } from './group-commit.js';

/** Writes groups down, and ends each when it is told to. */
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
});
