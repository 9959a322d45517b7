import type { DueSubject } from '../context/define-context.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { DueSubjects } from './due-subjects.js';

const subject = (n: number): DueSubject => ({ site: 'shop', env: 'test', subjectId: `sub_${n}` });

/** A hundred and fifty subjects are due until their work is done. The first of them fail as long as they are broken. */
function world(broken: Set<string>) {
  const open = new Map(Array.from({ length: 150 }, (_, n) => [`sub_${n}`, subject(n)]));
  const failures: string[] = [];
  const clock = { ms: 0 };
  const chore = new DueSubjects({
    due: async (limit, except) =>
      [...open.values()].filter(({ subjectId }) => !except.includes(subjectId)).slice(0, limit),
    work: async ({ subjectId }) => {
      if (broken.has(subjectId)) throw new RangeError('cannot be read');
      open.delete(subjectId);
    },
    failed: ({ subjectId }) => failures.push(subjectId),
    nowMs: () => clock.ms,
  });
  return { open, failures, clock, chore, round: () => chore.run(() => false) };
}

describe('what is due for subjects', () => {
  it('is done for all others, however many fail before them', async () => {
    const broken = new Set(Array.from({ length: 120 }, (_, n) => `sub_${n}`));
    const { open, failures, round } = world(broken);
    await round();
    await round();
    expect([...open.keys()].sort()).toEqual([...broken].sort());
    expect(failures.sort()).toEqual([...broken].sort());
  });

  it('is tried again for one that failed, later and later, and done when it can be', async () => {
    const broken = new Set(['sub_3']);
    const { open, failures, clock, round } = world(broken);
    for (const [ms, times] of [
      [0, 1],
      [59_000, 1],
      [61_000, 2],
      [122_000, 2],
      [182_000, 3],
    ] as const) {
      clock.ms = ms;
      await round();
      await round();
      expect(failures).toHaveLength(times);
    }
    broken.clear();
    clock.ms += 3_600_000;
    await round();
    expect(open.size).toBe(0);
  });

  it('waits as a whole where a dependency is away, and puts nobody off', async () => {
    const failed: unknown[] = [];
    let away = true;
    const done: string[] = [];
    const chore = new DueSubjects({
      due: async () => [subject(1), subject(2)].filter(({ subjectId }) => !done.includes(subjectId)),
      work: async ({ subjectId }) => {
        if (away) throw new DependencyUnavailable('database');
        done.push(subjectId);
      },
      failed: (_, error) => failed.push(error),
    });
    await expect(chore.run(() => false)).rejects.toThrow(DependencyUnavailable);
    away = false;
    await chore.run(() => false);
    expect(done).toEqual(['sub_1', 'sub_2']);
    expect(failed).toEqual([]);
  });
});
