import type { ConsentRecordedData, VendorDecision } from './events.js';
import { vendorEnds, vendorStandings, VENDORS_DECIDED_MAX, withVendorsOf } from './vendors.js';
import type { VendorChoice } from './vendor-choice.js';

const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const tcf = (decision: VendorDecision['decision'], ...ids: number[]): VendorDecision[] =>
  ids.map((id) => ({ framework: 'TCF', id, decision }));
const record = (day: number, vendors: VendorDecision[], more: Partial<ConsentRecordedData> = {}): ConsentRecordedData =>
  ({
    recordId: `rec_${day}`,
    source: 'API',
    givenAt: at(day),
    expiresAt: null,
    vendors,
    ...more,
  }) as ConsentRecordedData;
const after = (...records: ConsentRecordedData[]): readonly VendorChoice[] | undefined =>
  records.reduce(withVendorsOf, undefined as readonly VendorChoice[] | undefined);
const standings = (choices: readonly VendorChoice[] | undefined, day = 20) => [
  ...vendorStandings(choices, 'TCF', at(day)),
];

describe('what was decided about a vendor', () => {
  it('is what was said last of this very vendor', () => {
    const choices = after(record(1, tcf('GRANTED', 8, 28, 755)), record(2, tcf('DENIED', 28)));
    expect(standings(choices)).toEqual([
      [8, 'GRANTED'],
      [755, 'GRANTED'],
      [28, 'DENIED'],
    ]);
    expect(choices).toMatchObject([
      { recordId: 'rec_1', granted: { TCF: [8, 755] }, denied: {} },
      { recordId: 'rec_2', granted: {}, denied: { TCF: [28] } },
    ]);
  });

  it('is not changed by what was given before it and recorded after it', () =>
    expect(standings(after(record(2, tcf('DENIED', 28)), record(1, tcf('GRANTED', 28))))).toEqual([[28, 'DENIED']]));

  it('is a refusal where one record says both', () => {
    const both = [...tcf('DENIED', 28), ...tcf('GRANTED', 28)];
    expect(standings(after(record(1, both)))).toEqual([[28, 'DENIED']]);
    expect(standings(after(record(1, [...both].reverse())))).toEqual([[28, 'DENIED']]);
  });

  it('is told apart by whose list the id is from', () => {
    const choices = after(record(1, [...tcf('GRANTED', 28), { framework: 'GOOGLE', id: 28, decision: 'DENIED' }]));
    expect(standings(choices)).toEqual([[28, 'GRANTED']]);
    expect([...vendorStandings(choices, 'GOOGLE', at(20))]).toEqual([[28, 'DENIED']]);
  });

  it('ends with the record if it is a grant, and only then', () => {
    const choices = after(record(1, [...tcf('GRANTED', 8), ...tcf('DENIED', 28)], { expiresAt: at(10) }));
    expect(standings(choices, 9)).toEqual([
      [8, 'GRANTED'],
      [28, 'DENIED'],
    ]);
    expect(standings(choices, 10)).toEqual([
      [8, 'EXPIRED'],
      [28, 'DENIED'],
    ]);
    expect(vendorEnds(choices)).toEqual([at(10)]);
    expect(vendorEnds(after(record(1, tcf('DENIED', 28), { expiresAt: at(10) })))).toEqual([]);
  });

  it('is nothing where no record names a vendor', () => {
    expect(after(record(1, []))).toBeUndefined();
    const choices = after(record(1, tcf('GRANTED', 8)));
    expect(withVendorsOf(choices, record(2, []))).toBe(choices);
  });

  it('is kept of a bounded number: the oldest grants go first', () => {
    const ids = Array.from({ length: VENDORS_DECIDED_MAX - 1 }, (_, i) => i + 10);
    const choices = after(record(1, tcf('DENIED', 1)), record(2, tcf('GRANTED', 2)), record(3, tcf('GRANTED', ...ids)));
    const kept = vendorStandings(choices, 'TCF', at(20));
    expect([kept.size, kept.get(1), kept.get(2), kept.get(10)]).toEqual([
      VENDORS_DECIDED_MAX,
      'DENIED',
      undefined,
      'GRANTED',
    ]);
  });
});
