import { fold, type DomainEvent } from '../kernel/index.js';
import {
  excludedBy,
  carried,
  conflictsOf,
  definePart,
  firstOfMerges,
  foldWithout,
  wholeFold,
  type WholeState,
} from './parts.js';
import { subjectFold } from './state.js';

const AT = '2026-11-21T12:00:00.000Z';

/** What a context might know of a subject: the words that were said, and those that came with merges. */
interface Words {
  own: string[];
  brought: number;
}
const part = (name: string, type: string, version?: string) =>
  definePart<Words, DomainEvent>({
    name,
    fold: {
      on: [type, 'SubjectsMerged'],
      initial: () => ({ own: [], brought: 0 }),
      evolve: (state, event) =>
        event.type === 'SubjectsMerged'
          ? { ...state, brought: state.brought + 1 }
          : { ...state, own: [...state.own, event.data as string] },
      ...(version !== undefined && { snapshots: { name, version } }),
    },
    snapshot: ({ own }) => own,
    stood: () => [],
    conflicts: (target, source, { policy }) => [
      {
        field: name,
        values: [],
        chosen: `${target.id}/${target.state.own.join()}/${source.id}/${source.state.own.join()}`,
        rule: policy,
      },
    ],
  });
const PARTS = [part('said', 'Said', '7'), part('sung', 'Sung')];
const WHOLE = wholeFold(PARTS);

const said = (word: string): DomainEvent => ({ type: 'Said', data: word });
const sung = (word: string): DomainEvent => ({ type: 'Sung', data: word });
const rule = { policy: 'MOST_RECENT', carryOver: null, mergedAt: AT } as const;
const merged = (mergeId: string, role: 'SURVIVOR' | 'ABSORBED' = 'SURVIVOR'): DomainEvent => ({
  type: 'SubjectsMerged',
  data: { ...rule, mergeId, role, survivorId: 's', absorbedId: `${mergeId}/a` },
});
const reverted = (mergeId: string): DomainEvent => ({
  type: 'SubjectMergeReverted',
  data: {
    mergeId,
    role: 'SURVIVOR',
    survivorId: 's',
    absorbedIds: [`${mergeId}/a`],
    revertedAt: AT,
    cause: 'REVERTED',
  },
});
const erased: DomainEvent = {
  type: 'SubjectErased',
  data: { receiptId: 'r', rootId: 's', erasedTogether: [], erasedAt: AT, reason: 'OTHER', issuer: '' },
};
const held: DomainEvent = { type: 'SubjectRestricted', data: { restrictedAt: AT, until: null } };
const created: DomainEvent = { type: 'SubjectCreated', data: { subjectId: 's', createdAt: AT } };
const read = (...events: DomainEvent[]): (DomainEvent & { revision: number })[] =>
  events.map((event, revision) => ({ ...event, revision }));
const after = (...events: DomainEvent[]): WholeState => fold(WHOLE, events);

describe('everything about one subject', () => {
  it('is what each context folds of its own events', () => {
    const state = after(created, said('a'), sung('b'), merged('m1'));
    expect(state.parts).toEqual({ said: { own: ['a'], brought: 1 }, sung: { own: ['b'], brought: 1 } });
    expect(state.subject).toEqual(fold(subjectFold, [created, merged('m1')] as never[]));
    expect(state.standing).toEqual(state.subject.standing);
    expect(WHOLE.on).toEqual([...subjectFold.on, 'Said', 'Sung']);
    expect(WHOLE.initial()).toEqual({
      subject: subjectFold.initial(),
      parts: { said: { own: [], brought: 0 }, sung: { own: [], brought: 0 } },
      mergeRevisions: {},
      erasureRevision: null,
    });
  });

  it('is kept under a version that every part has its share in', () =>
    expect(WHOLE.snapshots).toEqual({ name: 'whole', version: `1.${subjectFold.snapshots.version}.7.` }));

  it('knows where its merges and its end are told', () => {
    const state = after(...read(created, merged('m1'), said('a'), merged('m2'), reverted('m1'), erased));
    expect(state.mergeRevisions).toEqual({ m1: [1, 4], m2: [3] });
    expect(state.erasureRevision).toBe(5);
    expect(firstOfMerges(state, new Set(['m2', 'm1']))).toBe(1);
    expect(firstOfMerges(state, new Set(['m2', 'unknown']))).toBe(3);
    expect(after(...read(created, said('a'))).erasureRevision).toBeNull();
    // An event that was not read from a stream stands nowhere.
    const unread = after(created, merged('m1'), erased);
    expect([unread.mergeRevisions, unread.erasureRevision]).toEqual([{}, null]);
    expect(after(...read(created, erased), said('a')).erasureRevision).toBe(1);
  });

  it('carries over what each context says, and the hold', () =>
    expect(carried(PARTS, after(created, held, said('a'), sung('b')))).toEqual({
      subject: { restriction: { since: AT, until: null } },
      said: ['a'],
      sung: ['b'],
    }));

  it('differs from another where its contexts say so', () =>
    expect(
      conflictsOf(PARTS, { id: 'x', state: after(said('a')) }, { id: 'y', state: after(said('b'), sung('c')) }, rule),
    ).toEqual([
      { field: 'said', values: [], chosen: 'x/a/y/b', rule: 'MOST_RECENT' },
      { field: 'sung', values: [], chosen: 'x//y/c', rule: 'MOST_RECENT' },
    ]));
});

describe('what a survivor comes to without a merge', () => {
  const without = (excluded: string[], ...events: DomainEvent[]) =>
    foldWithout(WHOLE, new Set(excluded), { state: WHOLE.initial(), events });

  it('is all but that merge, and but what reverts have restored', () => {
    const events = [created, said('a'), merged('m1'), merged('m2'), said('b'), reverted('m2'), sung('c')];
    expect(without(['m1', 'm2'], ...events)).toEqual(after(created, said('a'), said('b'), sung('c')));
    expect(without(['m2'], ...events)).toEqual(after(created, said('a'), merged('m1'), said('b'), sung('c')));
    // What a revert restored was made of merges that were in force then. A fold without them leaves it out.
    expect(without([], created, merged('m1'), said('a'), reverted('m1'))).toEqual(
      after(created, merged('m1'), said('a')),
    );
  });

  it('leaves in what other things are named like a merge, and what closed the subject itself', () => {
    const named: DomainEvent = { type: 'Said', data: { mergeId: 'm1', role: 'SURVIVOR' } };
    expect(without(['m1'], created, named)).toEqual(after(created, named));
    expect(without(['m1'], created, merged('m1', 'ABSORBED'))).toEqual(after(created, merged('m1', 'ABSORBED')));
  });

  it('excludes all that were reverted before', () =>
    expect(excludedBy(after(created, merged('m1'), merged('m2'), reverted('m1')), 'm2')).toEqual(
      new Set(['m1', 'm2']),
    ));
});
