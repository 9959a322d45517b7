import {
  BEGINNING_OF_TIME,
  isForgotten,
  refusal,
  type DomainEvent,
  type FieldCipher,
  type Instant,
} from '../kernel/index.js';
import { Codec, defineEvent, UnknownEvent } from './codec.js';
import { Folding } from './folding.js';
import { IncompleteStream } from './incomplete-stream.js';
import { NOT_JSON, type RecordedEvent } from '../log/port.js';
import { isWithin, type Folded, type FoldedBefore, type StreamFold } from './stream-fold.js';

type Said = DomainEvent<'Said', { words: unknown; at: Instant }>;
interface Heard {
  words: unknown[];
  last: number;
}

const at = (minute: number): Instant => `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`;
const definitions = [
  defineEvent({ type: 'Said', version: 1, personal: ['words'] }),
  defineEvent({ type: 'Noted', version: 1, personal: [] }),
];
const heard: StreamFold<Heard, Said> = {
  on: ['Said'],
  initial: () => ({ words: [], last: -1 }),
  evolve: ({ words }, { data, revision }) => ({ words: [...words, data.words], last: revision }),
  contended: () => refusal('state_conflict', '', ''),
  givenAt: ({ data }) => data.at,
};
const clear: FieldCipher = { encrypt: (_, value) => value, decrypt: (_, value) => `clear ${String(value)}` };
const recorded = (revision: number, minute: number, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: `id-${revision}`,
  stream: 'talk-1',
  revision,
  position: BigInt(revision + 10),
  type: 'Said',
  data: { words: { $sealed: `s${revision}` }, at: at(minute) },
  metadata: { schemaVersion: 1, actor: 'test', recordedAt: at(minute) },
  ...more,
});
const folding = (by: Partial<StreamFold<Heard, Said>> = {}, codec = new Codec(definitions)) =>
  new Folding(codec, { ...heard, ...by });

describe('folding stored events', () => {
  it('begins with nothing', () =>
    expect(folding().empty()).toEqual({
      revision: -1,
      position: null,
      lastFolded: -1,
      recordedThrough: BEGINNING_OF_TIME,
      givenThrough: BEGINNING_OF_TIME,
      leftOutSoFar: 0,
      state: { words: [], last: -1 },
    }));

  it('is not sound where events are gone before one that is there, and is where it goes on from a kept state', () => {
    const by = folding();
    const begun = by.over('talk-1', by.empty(), [recorded(0, 1), recorded(1, 2)]);
    const after = [recorded(2, 3), recorded(3, 4)];
    expect(by.isSound(by.over('talk-1', by.resumed(begun), after))).toBe(true);
    for (const [from, left] of [
      [by.empty(), after],
      [begun, after.slice(1)],
      [begun, [recorded(2, 3), recorded(4, 5)]],
    ] as const) {
      const cut = by.over('talk-1', from, left);
      expect([by.isSound(cut), cut.revision]).toEqual([false, left.at(-1)!.revision]);
      expect(cut.unreadable!.error).toBeInstanceOf(IncompleteStream);
    }
    expect(folding({ passesUnreadable: true }).isSound(by.over('talk-1', by.empty(), after))).toBe(true);
  });

  it('counts all that was read, and folds what it names', () => {
    const by = folding({ sealed: () => clear });
    const folded = by.over('talk-1', by.empty(), [
      recorded(0, 5),
      recorded(1, 3),
      recorded(2, 4, { type: 'Noted', data: {} }),
    ]);
    expect(folded).toEqual({
      revision: 2,
      position: 12n,
      lastFolded: 1,
      recordedThrough: at(5),
      givenThrough: at(5),
      leftOutSoFar: 0,
      state: { words: ['clear s0', 'clear s1'], last: 1 },
    });
  });

  it('folds personal values as forgotten where the state does not keep them', () => {
    const by = folding();
    expect(by.over('talk-1', by.empty(), [recorded(0, 1)]).state.words.map(isForgotten)).toEqual([true]);
  });

  it('notes the first event that it cannot take in, and goes on', () => {
    const by = folding();
    const folded = by.over('talk-1', by.empty(), [
      recorded(0, 1, { type: 'New' }),
      recorded(1, 2, { data: NOT_JSON }),
      recorded(2, 3),
    ]);
    expect(folded.unreadable!.error).toBeInstanceOf(UnknownEvent);
    expect([folded.revision, folded.lastFolded, folded.state.last]).toEqual([2, 2, 2]);
  });

  it('passes what operators left out, also what it could not read', () => {
    const codec = new Codec(definitions, { size: 1, has: (position) => position === 11n });
    const by = folding({}, codec);
    const folded = by.over('talk-1', by.empty(), [recorded(0, 1), recorded(1, 2, { type: 'New' })]);
    expect(folded).toMatchObject({ revision: 1, position: 11n, lastFolded: 0, recordedThrough: at(2) });
    expect(folded.unreadable).toBeUndefined();
    expect([by.isLeftOut(recorded(1, 2)), by.isLeftOut(recorded(0, 1))]).toEqual([true, false]);
  });

  it('says which events it takes', () => {
    const codec = new Codec(definitions, { size: 1, has: (position) => position === 11n });
    const by = folding({}, codec);
    expect([recorded(0, 1), recorded(1, 1), recorded(2, 1, { type: 'Noted' })].map((event) => by.takes(event))).toEqual(
      [true, false, false],
    );
    expect(() => by.takes(recorded(2, 1, { type: 'New' }))).toThrow(UnknownEvent);
    const { on: _, ...rest } = heard;
    expect(new Folding(codec, rest).takes(recorded(2, 1, { type: 'Noted' }))).toBe(true);
  });

  it('tells a state that may hold what was left out since', () => {
    const leftOut = { size: 0, has: () => false };
    const by = folding({}, new Codec(definitions, leftOut));
    const before = by.empty();
    expect(by.isCurrent(before)).toBe(true);
    leftOut.size = 1;
    expect([by.isCurrent(before), by.isCurrent(by.resumed(before)), by.isCurrent(by.empty())]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is sound where all could be read, where that does not matter, and where it is over', () => {
    const broken: Folded<Heard> = { ...folding().empty(), unreadable: { error: new Error('x') } };
    expect(folding().isSound(folding().empty())).toBe(true);
    expect(folding().isSound(broken)).toBe(false);
    expect(folding({ passesUnreadable: true }).isSound(broken)).toBe(true);
    expect(folding({ isOver: ({ last }) => last === -1 }).isSound(broken)).toBe(true);
    expect(folding({ isOver: () => false }).isSound(broken)).toBe(false);
  });

  it('comes to the same after an append as after reading what was appended', () => {
    for (const sealed of [undefined, () => clear]) {
      const by = folding({ ...(sealed && { sealed }) });
      const { id, type, data, metadata } = recorded(0, 7);
      const said = { type: 'Said', data: { words: sealed ? 'x' : 'aloud', at: at(7) } };
      const noted = { id: 'id-n', type: 'Noted', data: {}, metadata };
      const { folded, happened } = by.appended(
        'talk-1',
        by.empty(),
        [{ id, type, data, metadata }, noted],
        [said, { type: 'Noted', data: {} }],
        42n,
      );
      expect(folded).toEqual({
        revision: 1,
        position: 42n,
        lastFolded: 0,
        recordedThrough: at(7),
        givenThrough: at(7),
        leftOutSoFar: 0,
        state: { words: [sealed ? 'clear s0' : 'aloud'], last: 0 },
      });
      expect(happened).toEqual([
        { ...said, id: 'id-0', metadata, revision: 0, position: 42n },
        { type: 'Noted', data: {}, id: 'id-n', metadata, revision: 1, position: 42n },
      ]);
    }
  });

  it('shows an event in clear with a cipher, else as the state holds it', () => {
    const words = (by: Folding<Heard, Said>, cipher?: FieldCipher) =>
      (by.happened('talk-1', recorded(3, 1), cipher).data as { words: unknown }).words;
    expect(words(folding(), clear)).toBe('clear s3');
    expect(words(folding({ sealed: () => clear }))).toBe('clear s3');
    expect(isForgotten(words(folding()))).toBe(true);
    expect(folding().happened('talk-1', recorded(3, 1))).toMatchObject({
      id: 'id-3',
      type: 'Said',
      revision: 3,
      position: 13n,
      metadata: { recordedAt: at(1) },
    });
  });
});

describe('a state', () => {
  const state: Folded<null> = {
    revision: 5,
    position: 15n,
    lastFolded: 5,
    recordedThrough: at(5),
    givenThrough: at(6),
    leftOutSoFar: 0,
    state: null,
  };
  it.each<[FoldedBefore, boolean]>([
    [{}, true],
    [{ revision: 5 }, true],
    [{ revision: 4 }, false],
    [{ position: 15n }, true],
    [{ position: 14n }, false],
    [{ recordedThrough: at(5) }, true],
    [{ recordedThrough: at(4) }, false],
    [{ givenThrough: at(6) }, true],
    [{ givenThrough: at(5) }, false],
    [{ revision: 5, position: 15n, recordedThrough: at(5), givenThrough: at(5) }, false],
  ])('lies within a bound or not', (bound, within) => expect(isWithin(state, bound)).toBe(within));

  it('of nothing lies within every position', () =>
    expect(isWithin({ ...state, position: null }, { position: -1n })).toBe(true));
});
