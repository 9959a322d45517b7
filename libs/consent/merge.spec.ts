import type { MergeRule } from '../subjects/events.js';
import { consentConflicts, mergeConsent } from './merge.js';
import type { ConsentDecisions, GpcSignal, PurposeConsent } from './purposes.js';

const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const consent = (recordId: string, more: Partial<PurposeConsent> = {}): PurposeConsent => ({
  state: more.decision ?? 'GRANTED',
  recordId,
  decision: 'GRANTED',
  purposeVersion: 1,
  source: 'API',
  givenAt: at(3),
  recordedAt: at(3),
  expiresAt: null,
  specific: true,
  ...more,
});
const having = (ads: PurposeConsent | null, gpc: GpcSignal | null = null): ConsentDecisions => ({
  purposes: ads ? { ads } : {},
  gpc,
});
const rule = (more: Partial<MergeRule> = {}): MergeRule => ({
  policy: 'MOST_RESTRICTIVE',
  carryOver: null,
  mergedAt: at(20),
  ...more,
});
const conflicts = (ours: PurposeConsent | null, theirs: PurposeConsent | null, by = rule()) =>
  consentConflicts({ id: 'x', state: having(ours) }, { id: 'y', state: having(theirs) }, by);

describe('of two decisions on a purpose', () => {
  const ended = { expiresAt: at(10) };
  it.each<[string, Partial<MergeRule>, PurposeConsent, PurposeConsent, string]>([
    [
      'the refusal, however old',
      {},
      consent('ours'),
      consent('theirs', { decision: 'DENIED', givenAt: at(1) }),
      'theirs',
    ],
    [
      'the refusal of one’s own',
      {},
      consent('ours', { decision: 'DENIED', givenAt: at(1) }),
      consent('theirs'),
      'ours',
    ],
    ['the grant that has ended', {}, consent('ours', { givenAt: at(4) }), consent('theirs', ended), 'theirs'],
    ['the own grant that has ended', {}, consent('ours', ended), consent('theirs', { givenAt: at(4) }), 'ours'],
    ['the later of two grants', {}, consent('ours'), consent('theirs', { givenAt: at(4) }), 'theirs'],
    [
      'the later of two grants that end later',
      {},
      consent('ours', { expiresAt: at(21) }),
      consent('theirs', { givenAt: at(4) }),
      'theirs',
    ],
    [
      'the latest',
      { policy: 'MOST_RECENT' },
      consent('ours', { decision: 'DENIED' }),
      consent('theirs', { givenAt: at(4) }),
      'theirs',
    ],
    [
      'the refusal of the same time',
      { policy: 'MOST_RECENT' },
      consent('ours'),
      consent('theirs', { decision: 'DENIED' }),
      'theirs',
    ],
    [
      'the subject’s own of the same time',
      { policy: 'MOST_RECENT' },
      consent('ours', { source: 'IMPORT' }),
      consent('theirs'),
      'theirs',
    ],
    ['the younger record of all the same', { policy: 'MOST_RECENT' }, consent('a'), consent('b'), 'b'],
    [
      'the target’s',
      { policy: 'TARGET_WINS' },
      consent('ours'),
      consent('theirs', { decision: 'DENIED', givenAt: at(9) }),
      'ours',
    ],
  ])('%s stands', (_, by, ours, theirs, stands) =>
    expect(mergeConsent(having(ours), having(theirs), rule(by)).purposes['ads']!.recordId).toBe(stands),
  );
});

describe('a conflict', () => {
  it('names both, who was chosen, and why', () =>
    expect(conflicts(consent('ours'), consent('theirs', { decision: 'DENIED', givenAt: at(1) }))).toEqual([
      {
        purpose: 'ads',
        values: [
          { subject: 'x', state: 'GRANTED', givenAt: at(3) },
          { subject: 'y', state: 'DENIED', givenAt: at(1) },
        ],
        chosen: 'y',
        rule: 'MOST_RESTRICTIVE',
      },
    ]));

  it('is what a visitor leaves behind', () =>
    expect(conflicts(null, consent('theirs'), rule({ carryOver: 'NEVER' }))).toEqual([
      {
        purpose: 'ads',
        values: [{ subject: 'y', state: 'GRANTED', givenAt: at(3) }],
        chosen: 'x',
        rule: 'CARRY_OVER_NEVER',
      },
    ]));

  it('is none where both said the same, or only one said something', () => {
    expect(conflicts(consent('ours'), consent('theirs', { givenAt: at(9) }))).toEqual([]);
    expect(conflicts(null, consent('theirs'))).toEqual([]);
    expect(conflicts(consent('ours'), null)).toEqual([]);
  });

  it('is told as of the merge', () =>
    expect(conflicts(consent('ours'), consent('theirs', { expiresAt: at(20) }))).toMatchObject([
      { values: [{ state: 'GRANTED' }, { state: 'EXPIRED' }], chosen: 'y' },
    ]));
});

describe('of two signals', () => {
  const on = (day: number): GpcSignal => ({ active: true, since: at(day) });
  const off = (day: number): GpcSignal => ({ active: false, since: at(day) });
  it.each<[string, Partial<MergeRule>, GpcSignal | null, GpcSignal | null, GpcSignal | null]>([
    ['the only one', {}, null, off(1), off(1)],
    ['the target’s only one', {}, on(1), null, on(1)],
    ['the one that is on', {}, off(5), on(1), on(1)],
    ['the later of two that are on', {}, on(1), on(2), on(2)],
    ['the later', { policy: 'MOST_RECENT' }, on(1), off(2), off(2)],
    ['the one that is on at the same time', { policy: 'MOST_RECENT' }, off(2), on(2), on(2)],
    ['the target’s', { policy: 'TARGET_WINS' }, off(1), on(2), off(1)],
    ['the one that may follow', { carryOver: 'IF_DENIED' }, off(1), on(2), on(2)],
    ['not one that may not follow', { carryOver: 'IF_GRANTED' }, off(1), on(2), off(1)],
  ])('%s stands', (_, by, ours, theirs, stands) =>
    expect(mergeConsent(having(null, ours), having(null, theirs), rule(by)).gpc).toEqual(stands),
  );
});

describe('where two subjects were last known to be', () => {
  const placed = (country: string, day: number): ConsentDecisions => ({
    ...having(null),
    place: { country, since: at(day) },
  });
  const merged = (a: ConsentDecisions, b: ConsentDecisions, by = rule()) => mergeConsent(a, b, by).place?.country;

  it('is the newer place, whatever is carried over and whoever wins', () => {
    for (const by of [rule(), rule({ policy: 'TARGET_WINS' }), rule({ carryOver: 'NEVER' })]) {
      expect(merged(placed('DE', 3), placed('US', 4), by)).toBe('US');
      expect(merged(placed('DE', 5), placed('US', 4), by)).toBe('DE');
    }
  });

  it('is the same whoever is merged into whom', () => {
    expect(merged(placed('DE', 3), placed('US', 3))).toBe(merged(placed('US', 3), placed('DE', 3)));
  });

  it('is that of the one of whom it is known', () => {
    expect(merged(having(null), placed('US', 4))).toBe('US');
    expect(merged(placed('DE', 3), having(null))).toBe('DE');
    expect(mergeConsent(having(null), having(null), rule())).not.toHaveProperty('place');
  });
});
