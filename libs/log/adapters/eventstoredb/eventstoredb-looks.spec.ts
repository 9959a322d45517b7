import { jest } from '@jest/globals';
import type { ResolvedEvent } from '@eventstore/db-client';
import { Looks } from './eventstoredb-looks.js';

const at = (position: number): ResolvedEvent =>
  ({ event: { position: { commit: BigInt(position), prepare: BigInt(position) } } }) as ResolvedEvent;
const positions = (events: readonly ResolvedEvent[]): number[] =>
  events.map(({ event }) => Number(event!.position!.commit));

/** A log with an event at each position up to its end. */
function aLog(end: number) {
  const asked: number[] = [];
  const read = async (after: bigint, most: number): Promise<ResolvedEvent[]> => {
    asked.push(Number(after));
    const first = Number(after) + 1;
    return Array.from({ length: Math.max(0, Math.min(most, end - first + 1)) }, (_, i) => at(first + i));
  };
  return { asked, read };
}

describe('A look into the log', () => {
  it('is one for all who look at the same time, each of whom gets what comes after its own place', async () => {
    const { asked, read } = aLog(10);
    const looks = new Looks(read, () => [8n, 5n, 7n]);
    const pages = await Promise.all([8n, 5n, 7n].map((position) => looks.after(position)));
    expect(pages.map(positions)).toEqual([
      [9, 10],
      [6, 7, 8, 9, 10],
      [8, 9, 10],
    ]);
    expect(asked).toEqual([5]);
  });

  it('is made anew for one who stands before what was read', async () => {
    const { asked, read } = aLog(10);
    const looks = new Looks(read, () => []);
    await looks.after(8n);
    expect(positions(await looks.after(6n))).toEqual([7, 8, 9, 10]);
    expect(asked).toEqual([8, 6]);
  });

  it('is made anew for one who stands beyond a page that could not hold all', async () => {
    const { asked, read } = aLog(2_000);
    const looks = new Looks(read, () => [0n]);
    await looks.after(0n);
    expect(positions(await looks.after(1_998n))).toEqual([1_999, 2_000]);
    expect(asked).toEqual([0, 1_998]);
  });

  it('finds nothing where nothing came, without asking twice', async () => {
    const { asked, read } = aLog(10);
    const looks = new Looks(read, () => []);
    expect(await Promise.all([looks.after(10n), looks.after(10n)])).toEqual([[], []]);
    expect(asked).toEqual([10]);
  });

  it('is made again after one that failed', async () => {
    const { read } = aLog(10);
    let isAway = true;
    const looks = new Looks(
      (after, most) => (isAway ? Promise.reject(new Error('away')) : read(after, most)),
      () => [],
    );
    await expect(looks.after(9n)).rejects.toThrow('away');
    isAway = false;
    expect(positions(await looks.after(9n))).toEqual([10]);
  });

  it('sees what came since, a while later', async () => {
    const events = [at(1)];
    const looks = new Looks(
      async (after) => events.filter((event) => event.event!.position!.commit > after),
      () => [],
    );
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    expect(positions(await looks.after(0n))).toEqual([1]);
    events.push(at(2));
    jest.spyOn(performance, 'now').mockReturnValue(1_101);
    expect(positions(await looks.after(0n))).toEqual([1, 2]);
    jest.restoreAllMocks();
  });
});
