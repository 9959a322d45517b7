import { arrival, edgeOf, follow, followToRead, outcomeOf, seek, type Step } from './follow.js';
import { ON_ITS_OWN, type Standed, type Standing } from './standing.js';

const RULE = { policy: 'MOST_RECENT', carryOver: null, mergedAt: '2026-11-21T12:00:00.000Z' } as const;
const into = (survivor: string, mergeId: string): Partial<Standing> => ({
  merged: { into: survivor, mergeId, ...RULE },
});
const has = (mergeId: string, subjectId: string): Partial<Standing> => ({
  absorbed: [{ mergeId, subjectId, family: [subjectId] }],
});
/** Loads from these, and says what was loaded. */
function subjects(standings: Record<string, Partial<Standing>>) {
  const loaded: string[] = [];
  const load = (id: string): Promise<Standed> => {
    loaded.push(id);
    return Promise.resolve({ standing: { ...ON_ITS_OWN, ...standings[id] } });
  };
  return { loaded, load };
}
const names = (path: readonly Step<Standed>[]): string[] => path.map(({ subjectId }) => subjectId);

describe('following a merge', () => {
  it('ends where nobody was merged any more, with the way there', async () => {
    const { load } = subjects({ a: into('b', 'm1'), b: { ...into('c', 'm2'), ...has('m1', 'a') }, c: has('m2', 'b') });
    const followed = await follow('a', load);
    expect('root' in followed && [followed.root.subjectId, names(followed.path)]).toEqual(['c', ['a', 'b']]);
  });

  it('loads each subject once', async () => {
    const { load, loaded } = subjects({ a: into('b', 'm1'), b: into('a', 'm2') });
    await follow('a', load);
    expect(loaded).toEqual(['a', 'b']);
  });

  it.each<[string, Partial<Standing>]>([
    ['reverted', { reverted: ['m2'] }],
    ['declined', { declined: [{ mergeId: 'm2', subjectId: 'b' }] }],
  ])('ends at a subject that its survivor has let go: %s', async (_, outcome) => {
    const { load } = subjects({ a: into('b', 'm1'), b: { ...into('c', 'm2'), ...has('m1', 'a') }, c: outcome });
    const followed = await follow('a', load);
    expect('root' in followed && [followed.root.subjectId, names(followed.path)]).toEqual(['b', ['a']]);
  });

  it('goes on where the survivor has let go of somebody else, or by another merge', async () => {
    const { load } = subjects({
      a: into('b', 'm1'),
      b: {
        reverted: ['m0'],
        declined: [
          { mergeId: 'm1', subjectId: 'x' },
          { mergeId: 'm0', subjectId: 'a' },
        ],
      },
    });
    expect(await follow('a', load)).toMatchObject({ root: { subjectId: 'b' } });
  });

  it('lets the youngest merge of a ring give way, of those that have not arrived', async () => {
    const ring = { a: into('b', 'm2'), b: into('c', 'm3'), c: into('a', 'm1') };
    const voided = (standings: Record<string, Partial<Standing>>) => follow('a', subjects(standings).load);
    expect(await voided(ring)).toEqual({ void: { mergeId: 'm3', absorbedId: 'b', survivorId: 'c' } });
    expect(await voided({ ...ring, c: { ...ring.c, ...has('m3', 'b') } })).toEqual({
      void: { mergeId: 'm2', absorbedId: 'a', survivorId: 'b' },
    });
    // Read at different moments, all may look as if they had arrived.
    expect(
      await voided({
        a: { ...ring.a, ...has('m1', 'c') },
        b: { ...ring.b, ...has('m2', 'a') },
        c: { ...ring.c, ...has('m3', 'b') },
      }),
    ).toEqual({ void: { mergeId: 'm3', absorbedId: 'b', survivorId: 'c' } });
  });

  it('counts only who is on the ring, not who leads to it', async () => {
    const { load } = subjects({ x: into('a', 'm9'), a: into('b', 'm1'), b: into('a', 'm2') });
    expect(await follow('x', load)).toEqual({ void: { mergeId: 'm2', absorbedId: 'b', survivorId: 'a' } });
  });

  it('lets the subject whose merge gives way speak, for whoever only reads', async () => {
    const { load } = subjects({ a: into('b', 'm1'), b: into('a', 'm2') });
    const { root, path } = await followToRead('a', load);
    expect([root.subjectId, names(path)]).toEqual(['b', ['a']]);
  });

  it('says so where rings hang together, which no order of merges makes', async () => {
    // Asked twice, it stands elsewhere the second time.
    const standings = [into('b', 'm1'), into('c', 'm3'), into('b', 'm4'), into('b', 'm1'), into('a', 'm5')];
    let asked = 0;
    const load = (): Promise<Standed> => Promise.resolve({ standing: { ...ON_ITS_OWN, ...standings[asked++] } });
    await expect(followToRead('a', load)).rejects.toThrow('merges around a form more than one ring');
  });

  it('keeps of the subject that speaks all but its merge', async () => {
    const { load } = subjects({ a: into('b', 'm1'), b: { ...into('a', 'm2'), formerly: ['z'] } });
    expect((await followToRead('a', load)).root.state.standing).toEqual({ ...ON_ITS_OWN, formerly: ['z'] });
  });

  const chain = (length: number) =>
    subjects(Object.fromEntries(Array.from({ length }, (_, i) => [`s${i}`, into(`s${i + 1}`, `m${i}`)])));
  it('takes a hundred steps and no more', async () => {
    expect(await follow('s0', chain(100).load)).toMatchObject({ root: { subjectId: 's100' } });
    await expect(follow('s0', chain(101).load)).rejects.toThrow('more than 100 merges from s0');
  });
});

describe('what became of a merge', () => {
  const survivor: Standed = {
    standing: { ...ON_ITS_OWN, ...has('m1', 'a'), reverted: ['m2'], declined: [{ mergeId: 'm3', subjectId: 'c' }] },
  };
  it.each<[string, string, ReturnType<typeof outcomeOf>]>([
    ['m1', 'a', 'absorbed'],
    ['m1', 'b', null],
    ['m9', 'a', null],
    ['m2', 'b', 'reverted'],
    ['m3', 'c', 'declined'],
    ['m3', 'd', null],
    ['m4', 'c', null],
  ])('%s of %s is %p', (mergeId, absorbedId, outcome) => {
    expect(outcomeOf(mergeId, absorbedId, survivor)).toBe(outcome);
    expect(arrival(mergeId, absorbedId, [{ subjectId: 's', state: survivor }])).toBe(outcome);
  });

  it('is asked by the edge that a closed subject knows', () =>
    expect(edgeOf({ subjectId: 'a', state: { standing: { ...ON_ITS_OWN, ...into('b', 'm1') } } })).toEqual({
      mergeId: 'm1',
      absorbedId: 'a',
      survivorId: 'b',
    }));
});

describe('looking for what was recorded in the name of a subject', () => {
  const search = async (standings: Record<string, Partial<Standing>>, found: string | null) => {
    const { load, loaded } = subjects(standings);
    const result = await seek('a', async (id) => ({ state: await load(id), found: id === found ? `at ${id}` : null }));
    return [result, loaded];
  };
  const standings = { a: { ...into('b', 'm1'), formerly: ['x'] }, b: { formerly: ['a', 'y'] } };
  it('goes from the subject to whom it belongs to, and to whom it once belonged', async () => {
    expect(await search(standings, 'a')).toEqual(['at a', ['a']]);
    expect(await search(standings, 'y')).toEqual(['at y', ['a', 'b', 'x', 'y']]);
    expect(await search(standings, null)).toEqual([null, ['a', 'b', 'x', 'y']]);
  });
});
