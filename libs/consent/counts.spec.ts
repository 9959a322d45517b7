import { consentCounts, type ConsentAdded } from './counts.js';
import type { ConsentRecordedData } from './events.js';
import { consentFold, type ConsentState, type FoldedByConsent } from './state.js';

const DAY = '2026-11-20';
const at = (day: string, time = '12:00'): string => `${day}T${time}:00.000Z`;

const record = (more: Partial<ConsentRecordedData>): FoldedByConsent => {
  const recordedAt = more.recordedAt ?? at(DAY);
  return {
    type: 'ConsentRecorded',
    data: {
      recordId: 'rec_1',
      purpose: 'analytics',
      purposeVersion: 1,
      decision: 'GRANTED',
      previousState: 'NOT_COLLECTED',
      state: more.decision ?? 'GRANTED',
      appliedToState: true,
      supersededBy: null,
      source: 'API',
      givenAt: recordedAt,
      recordedAt,
      expiresAt: null,
      actor: { type: 'SUBJECT' },
      notice: { locale: 'en', contentHash: 'sha256:0' },
      provenance: { keyId: 'key_x' },
      ...more,
    },
  };
};
const placed = (country: string) => ({ jurisdiction: { country, source: 'DETECTED' as const } });

/** What the last of these adds, as `+1 grants analytics 2026-11-20 DE`. */
function added(...events: FoldedByConsent[]): string[] {
  let before: ConsentState | null = null;
  let state: ConsentState | null = null;
  for (const event of events) {
    before = state;
    state = consentFold.evolve(before ?? consentFold.initial(), event);
  }
  const last = events.at(-1)!;
  const when = last.data as { recordedAt?: string; mergedAt?: string; erasedAt?: string; expiredAt?: string };
  const recordedAt = when.recordedAt ?? when.mergedAt ?? when.erasedAt ?? when.expiredAt!;
  return consentCounts(before, last, state!, recordedAt)
    .filter(({ cell }) => cell.split === 'country')
    .map(inWords);
}
const inWords = ({ cell, to, by }: ConsentAdded): string =>
  `${by > 0 ? '+' : ''}${by} ${to} ${cell.purpose} ${cell.day} ${cell.value}`.trimEnd();

it.each<[string, Partial<ConsentRecordedData>, string[]]>([
  ['a grant', {}, ['+1 grants analytics 2026-11-20']],
  ['a refusal', { decision: 'DENIED' }, ['+1 refusals analytics 2026-11-20']],
  ['an objection', { decision: 'OBJECTED' }, ['+1 refusals analytics 2026-11-20']],
  ['a withdrawal', { decision: 'WITHDRAWN' }, ['+1 withdrawals analytics 2026-11-20']],
  ['a refusal after a grant', { decision: 'DENIED', state: 'WITHDRAWN' }, ['+1 withdrawals analytics 2026-11-20']],
  [
    'a refusal that came too late to change anything',
    { decision: 'DENIED', state: 'WITHDRAWN', appliedToState: false },
    ['+1 refusals analytics 2026-11-20'],
  ],
  ['a notice that was read', { decision: 'ACKNOWLEDGED' }, []],
  ['what was imported', { source: 'IMPORT' }, ['+1 imported_grants analytics 2026-11-20']],
  ['what was migrated', { source: 'MIGRATION', decision: 'DENIED' }, ['+1 imported_refusals analytics 2026-11-20']],
  ['a decision somewhere', placed('DE'), ['+1 grants analytics 2026-11-20 DE']],
  ['a code that stands for another one', placed('UK'), ['+1 grants analytics 2026-11-20 GB']],
  ['a code that is no country', placed('EU'), ['+1 grants analytics 2026-11-20']],
  [
    'what was given the day before',
    { givenAt: at('2026-11-19'), recordedAt: at(DAY, '00:00') },
    ['+1 grants analytics 2026-11-20'],
  ],
])('counts %s', (_, more, counted) => expect(added(record(more))).toEqual(counted));

it('counts a decision without a place where its subject was last known to be', () =>
  expect(added(record(placed('FR')), record({ decision: 'DENIED', recordedAt: at('2026-11-21') }))).toEqual([
    '+1 refusals analytics 2026-11-21 FR',
  ]));

it('counts a decision once for each split that it has a value of, and nothing that a caller can invent', () => {
  const event = record({
    purposeVersion: 3,
    ...placed('DE'),
    collection: { method: 'ACCEPT_ALL', surface: 'BANNER', locale: 'x-made-up', bannerVersion: 99 },
    presentation: { banner: { version: 7 } } as never,
  });
  const values = (of: FoldedByConsent) =>
    consentCounts(null, of, consentFold.evolve(consentFold.initial(), of), at(DAY)).map(({ cell, to, by }) => [
      cell.split,
      cell.value,
      to,
      by,
    ]);
  expect(values(event)).toEqual([
    ['country', 'DE', 'grants', 1],
    ['method', 'ACCEPT_ALL', 'grants', 1],
    ['surface', 'BANNER', 'grants', 1],
    ['locale', 'en', 'grants', 1],
    ['bannerVersion', '7', 'grants', 1],
    ['purposeVersion', '3', 'grants', 1],
  ]);
  expect(values(record({})).map(([split]) => split)).toEqual(['country', 'locale', 'purposeVersion']);
});

describe('the end of a grant', () => {
  const granted = record({ ...placed('FR'), source: 'IMPORT', expiresAt: at('2027-01-05') });

  it('counts in advance', () =>
    expect(added(granted)).toEqual([
      '+1 imported_grants analytics 2026-11-20 FR',
      '+1 expiries analytics 2027-01-05 FR',
    ]));
  it('counts no more for what was over when it came', () =>
    expect(added(record({ source: 'IMPORT', expiresAt: at(DAY) }))).toEqual([
      '+1 imported_grants analytics 2026-11-20',
    ]));
  it('counts on another day after a renewal', () =>
    expect(added(granted, record({ recordedAt: at('2026-12-01'), expiresAt: at('2027-06-01') }))).toEqual([
      '+1 grants analytics 2026-12-01 FR',
      '-1 expiries analytics 2027-01-05 FR',
      '+1 expiries analytics 2027-06-01 FR',
    ]));
  it('stays where nothing but its record changes', () =>
    expect(added(granted, record({ recordedAt: at('2026-12-01'), expiresAt: at('2027-01-05', '13:00') }))).toEqual([
      '+1 grants analytics 2026-12-01 FR',
    ]));
  it('moves with the person', () =>
    expect(added(granted, record({ ...placed('DE'), purpose: 'ads', recordedAt: at('2026-12-01') }))).toEqual([
      '+1 grants ads 2026-12-01 DE',
      '-1 expiries analytics 2027-01-05 FR',
      '+1 expiries analytics 2027-01-05 DE',
    ]));
  it('is taken back by a refusal before it, and not by one after it', () => {
    const refused = (day: string) => record({ decision: 'DENIED', state: 'WITHDRAWN', recordedAt: at(day) });
    expect(added(granted, refused('2026-12-01'))).toEqual([
      '+1 withdrawals analytics 2026-12-01 FR',
      '-1 expiries analytics 2027-01-05 FR',
    ]);
    expect(added(granted, refused('2027-01-05'))).toEqual(['+1 withdrawals analytics 2027-01-05 FR']);
  });
  it('is not counted again when the log says it', () =>
    expect(
      added(granted, {
        type: 'ConsentExpired',
        data: { recordId: 'rec_1', purpose: 'analytics', expiredAt: at('2027-01-05') },
      }),
    ).toEqual([]));
  it('is taken back by an erasure, and by a merge into somebody else', () => {
    const taken = ['-1 expiries analytics 2027-01-05 FR'];
    const erased = { receiptId: 'rct_1', rootId: 'sub_1', erasedTogether: [], erasedAt: at('2026-12-01'), issuer: '' };
    expect(added(granted, { type: 'SubjectErased', data: { ...erased, reason: 'OTHER' } })).toEqual(taken);
    const merge = { mergeId: 'mrg_1', survivorId: 'sub_2', absorbedId: 'sub_1', mergedAt: at('2026-12-01') };
    const rule = { policy: 'MOST_RECENT', carryOver: null } as const;
    expect(added(granted, { type: 'SubjectsMerged', data: { role: 'ABSORBED', ...merge, ...rule } })).toEqual(taken);
  });
  it('counts for who has absorbed its subject', () => {
    const absorbed = { consent: consentFold.evolve(consentFold.initial(), granted) };
    const merge = { mergeId: 'mrg_1', survivorId: 'sub_2', absorbedId: 'sub_1', mergedAt: at('2026-12-01') };
    const rule = { policy: 'MOST_RECENT', carryOver: null } as const;
    expect(
      added(record({ decision: 'DENIED', purpose: 'ads' }), {
        type: 'SubjectsMerged',
        data: { role: 'SURVIVOR', ...merge, ...rule, absorbed },
      }),
    ).toEqual(['+1 expiries analytics 2027-01-05 FR']);
  });
});
