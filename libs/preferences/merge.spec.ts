import type { MergeRule } from '../subjects/events.js';
import { mergePreferences, preferenceConflicts } from './merge.js';
import { nothingChosen, type ConfirmationRequest, type Field, type PreferenceChoices, type Topic } from './topics.js';

const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const topic = (recordId: string | null, more: Partial<Topic> = {}): Topic => ({
  state: 'GRANTED',
  recordId,
  source: 'API',
  givenAt: at(3),
  confirmedAt: null,
  frequency: null,
  pausedUntil: null,
  pending: null,
  ...more,
});
/** Wanted on a day, by a link or without one. */
const wish = (day: number, requestId: string | null = null, more: Partial<Topic> = {}): Topic =>
  topic(null, { state: 'UNSET', givenAt: at(1), pending: { requestId, since: at(day), until: at(28) }, ...more });
const field = (recordId: string, more: Partial<Field> = {}): Field => ({
  type: 'TEXT',
  value: recordId,
  recordId,
  source: 'API',
  givenAt: at(3),
  ...more,
});
const having = (more: Partial<PreferenceChoices>): PreferenceChoices => ({ ...nothingChosen(), ...more });
const rule = (more: Partial<MergeRule> = {}): MergeRule => ({
  policy: 'MOST_RESTRICTIVE',
  carryOver: null,
  mergedAt: at(20),
  ...more,
});
const RECENT = { policy: 'MOST_RECENT' } as const;
const TARGET = { policy: 'TARGET_WINS' } as const;

describe('of two decisions on a topic', () => {
  const denied = { state: 'DENIED' } as const;
  it.each<[string, Partial<MergeRule>, Topic | null, Topic, 'ours' | 'theirs']>([
    ['the only one', {}, null, topic('theirs'), 'theirs'],
    ['the refusal, however old', {}, topic('ours'), topic('theirs', { ...denied, givenAt: at(1) }), 'theirs'],
    ['the own refusal, however old', {}, topic('ours', { ...denied, givenAt: at(1) }), topic('theirs'), 'ours'],
    ['the later of two grants', {}, topic('ours'), topic('theirs', { givenAt: at(4) }), 'theirs'],
    ['the own later of two grants', {}, topic('ours', { givenAt: at(4) }), topic('theirs'), 'ours'],
    ['a grant against a wish', {}, wish(9), topic('theirs'), 'theirs'],
    ['the own grant against a wish', {}, topic('ours'), wish(9), 'ours'],
    ['the later of two wishes', {}, wish(4), wish(9, 'theirs'), 'theirs'],
    ['the own later of two wishes', {}, wish(9), wish(4, 'theirs'), 'ours'],
    ['the younger request of two wishes of one time', {}, wish(4, 'a'), wish(4, 'b'), 'theirs'],
    ['the latest', RECENT, topic('ours', denied), topic('theirs', { givenAt: at(4) }), 'theirs'],
    ['the own latest', RECENT, topic('ours', { givenAt: at(4) }), topic('theirs', denied), 'ours'],
    ['the refusal of the same time', RECENT, topic('ours'), topic('theirs', denied), 'theirs'],
    ['the own refusal of the same time', RECENT, topic('ours', denied), topic('theirs'), 'ours'],
    [
      'a decision, before a frequency that was chosen alone',
      RECENT,
      topic('ours'),
      topic(null, { state: 'UNSET', givenAt: at(1) }),
      'ours',
    ],
    ['a visitor’s where everything follows', { carryOver: 'ALWAYS' }, null, topic('theirs'), 'theirs'],
    ['a visitor’s refusal where everything follows', { carryOver: 'ALWAYS' }, null, topic('theirs', denied), 'theirs'],
    ['the younger record of all the same', RECENT, topic('a'), topic('b'), 'theirs'],
    ['the own younger record of all the same', RECENT, topic('b'), topic('a'), 'ours'],
    ['a wish that is later', RECENT, topic('ours'), wish(4), 'theirs'],
    ['a wish of a time, not when its topic was first seen', RECENT, topic('ours'), wish(2), 'ours'],
    [
      'a decision, by its own time and not by a wish after it',
      RECENT,
      topic('ours', { givenAt: at(4) }),
      wish(9, 'r', { ...denied, givenAt: at(3) }),
      'ours',
    ],
    ['the target’s', TARGET, topic('ours'), topic('theirs', { ...denied, givenAt: at(9) }), 'ours'],
    ['the only one where the target has none', TARGET, null, topic('theirs'), 'theirs'],
    ['what may follow', { carryOver: 'IF_DENIED' }, null, topic('theirs', denied), 'theirs'],
    ['not what may not follow', { carryOver: 'IF_DENIED' }, topic('ours'), topic('theirs', { givenAt: at(9) }), 'ours'],
    [
      'what may follow as a grant',
      { ...RECENT, carryOver: 'IF_GRANTED' },
      topic('ours'),
      topic('theirs', { givenAt: at(9) }),
      'theirs',
    ],
    ['not a refusal where grants follow', { carryOver: 'IF_GRANTED' }, topic('ours'), topic('theirs', denied), 'ours'],
  ])('%s stands', (_, by, ours, theirs, stands) => {
    const merged = mergePreferences(
      having({ topics: ours ? { t: ours } : {} }),
      having({ topics: { t: theirs } }),
      rule(by),
    );
    expect(merged.topics['t']).toBe(stands === 'ours' ? ours : theirs);
  });
});

describe('of two typed fields', () => {
  it.each<[string, Partial<MergeRule>, Field | null, Field, 'ours' | 'theirs' | 'none']>([
    ['the only one', {}, null, field('theirs'), 'theirs'],
    ['the later', {}, field('ours'), field('theirs', { givenAt: at(4) }), 'theirs'],
    ['the own later', {}, field('ours', { givenAt: at(4) }), field('theirs'), 'ours'],
    ['the younger record of one time', {}, field('a'), field('b'), 'theirs'],
    ['the target’s', TARGET, field('ours'), field('theirs', { givenAt: at(9) }), 'ours'],
    ['the only one where the target has none', TARGET, null, field('theirs'), 'theirs'],
    [
      'a visitor’s with everything else',
      { ...RECENT, carryOver: 'ALWAYS' },
      field('ours'),
      field('theirs', { givenAt: at(9) }),
      'theirs',
    ],
    ['none of a visitor’s with only a part', { carryOver: 'IF_GRANTED' }, null, field('theirs'), 'none'],
    [
      'none of a visitor’s with nothing',
      { carryOver: 'NEVER' },
      field('ours'),
      field('theirs', { givenAt: at(9) }),
      'ours',
    ],
  ])('%s stands', (_, by, ours, theirs, stands) => {
    const merged = mergePreferences(
      having({ fields: ours ? { constructor: ours } : {} }),
      having({ fields: { constructor: theirs } }),
      rule(by),
    );
    expect(Object.values(merged.fields)).toEqual(stands === 'none' ? [] : [stands === 'ours' ? ours : theirs]);
  });
});

describe('of two global opt-outs', () => {
  type OptOut = PreferenceChoices['globalOptOut'];
  const out = (day: number): OptOut => ({ active: true, since: at(day) });
  const back = (day: number): OptOut => ({ active: false, since: at(day) });
  it.each<[string, Partial<MergeRule>, OptOut, OptOut, OptOut]>([
    ['the only one', {}, null, out(1), out(1)],
    ['the target’s only one', {}, out(1), null, out(1)],
    ['the one in force', {}, back(9), out(1), out(1)],
    ['the own one in force', {}, out(1), back(9), out(1)],
    ['the later of two in force', {}, out(1), out(2), out(2)],
    ['the latest', RECENT, out(1), back(2), back(2)],
    ['the one in force of one time', RECENT, back(2), out(2), out(2)],
    ['the target’s', TARGET, back(1), out(2), back(1)],
    ['what may follow', { carryOver: 'IF_DENIED' }, null, out(2), out(2)],
    ['not what may not follow', { carryOver: 'IF_GRANTED' }, null, out(2), null],
  ])('%s stands', (_, by, ours, theirs, stands) =>
    expect(
      mergePreferences(having({ globalOptOut: ours }), having({ globalOptOut: theirs }), rule(by)).globalOptOut,
    ).toEqual(stands),
  );
});

describe('what is common to both', () => {
  it('are verified kinds, links on their way, and mails that were sent', () => {
    const request = (tokenHash: string): ConfirmationRequest => ({
      tokenHash,
      fields: [],
      expiresAt: at(9),
      confirmedAt: null,
      expired: false,
      redirectUrl: '',
      text: { language: 'en', dir: 'ltr', title: '', paragraphs: [], button: '', footer: '' },
      identifierId: null,
    });
    const merged = mergePreferences(
      having({ verifiedKinds: ['phone'], requests: { b: request('ours') }, mails: { i: [at(1)] } }),
      having({
        verifiedKinds: ['email', 'phone'],
        requests: { a: request('theirs'), b: request('x') },
        mails: { j: [at(2)] },
      }),
      rule(),
    );
    expect(merged.verifiedKinds).toEqual(['email', 'phone']);
    expect(Object.entries(merged.requests).map(([id, { tokenHash }]) => [id, tokenHash])).toEqual([
      ['a', 'theirs'],
      ['b', 'ours'],
    ]);
    expect(merged.mails).toEqual({ i: [at(1)], j: [at(2)] });
  });
});

describe('a conflict', () => {
  const conflicts = (ours: Partial<PreferenceChoices>, theirs: Partial<PreferenceChoices>, by = rule()) =>
    preferenceConflicts({ id: 'x', state: having(ours) }, { id: 'y', state: having(theirs) }, by);

  it('names both decisions on a topic, who was chosen, and why', () =>
    expect(
      conflicts({ topics: { t: topic('a') } }, { topics: { t: topic('b', { state: 'DENIED', givenAt: at(1) }) } }),
    ).toEqual([
      {
        field: 't',
        values: [
          { subject: 'x', state: 'GRANTED', givenAt: at(3) },
          { subject: 'y', state: 'DENIED', givenAt: at(1) },
        ],
        chosen: 'y',
        rule: 'MOST_RESTRICTIVE',
      },
    ]));

  it('names whose typed field was chosen, and never what was typed', () =>
    expect(
      conflicts({ fields: { f: field('secret') } }, { fields: { f: field('other', { value: null, givenAt: at(4) }) } }),
    ).toEqual([
      {
        field: 'f',
        values: [
          { subject: 'x', state: 'SET', givenAt: at(3) },
          { subject: 'y', state: 'UNSET', givenAt: at(4) },
        ],
        chosen: 'y',
        rule: 'MOST_RESTRICTIVE',
      },
    ]));

  it('is what a visitor leaves behind', () => {
    const never = rule({ carryOver: 'NEVER' });
    expect(conflicts({}, { topics: { t: topic('b') }, fields: { f: field('b') } }, never)).toEqual([
      {
        field: 't',
        values: [{ subject: 'y', state: 'GRANTED', givenAt: at(3) }],
        chosen: 'x',
        rule: 'CARRY_OVER_NEVER',
      },
      { field: 'f', values: [{ subject: 'y', state: 'SET', givenAt: at(3) }], chosen: 'x', rule: 'CARRY_OVER_NEVER' },
    ]);
    expect(
      conflicts({ fields: { f: field('a') } }, { fields: { f: field('b', { givenAt: at(9) }) } }, never),
    ).toMatchObject([{ chosen: 'x' }]);
  });

  it('is none where both said the same of a topic, or only one said something', () => {
    expect(conflicts({ topics: { t: topic('a') } }, { topics: { t: topic('b', { givenAt: at(9) }) } })).toEqual([]);
    expect(conflicts({}, { topics: { t: topic('b') }, fields: { f: field('b') } })).toEqual([]);
    expect(conflicts({ topics: { t: topic('a') }, fields: { f: field('a') } }, {})).toEqual([]);
  });

  it('is told as of the merge', () => {
    const ends = (until: string) => ({
      topics: { t: wish(4, 'r', { pending: { requestId: 'r', since: at(4), until } }) },
    });
    expect(conflicts(ends(at(28)), ends(at(20)))).toMatchObject([
      { values: [{ state: 'PENDING' }, { state: 'EXPIRED' }] },
    ]);
  });
});
