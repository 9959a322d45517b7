import { describe, expect, it } from '@jest/globals';
import { plusMs } from '../kernel/index.js';
import { refusalDemandedBy } from './refusal-demands.js';
import { ruleAt } from './look-up.js';
import { policyView } from './view.js';

const NOW = '2026-11-22T12:00:00.000Z';
const placesOf = (key: string, at = NOW): readonly string[] | undefined =>
  refusalDemandedBy(at).find(({ regulation }) => regulation === key)?.places;

describe('the acts that demand a refusal', () => {
  const acts = refusalDemandedBy(NOW);

  it('come with their places in order, those of most places first, and those of as many by name', () => {
    expect(acts[0]).toMatchObject({ regulation: 'GDPR', places: expect.arrayContaining(['AT', 'DE', 'FR', 'NO']) });
    for (const { places } of acts) expect(places).toEqual([...new Set(places)].sort());
    acts.slice(1).forEach(({ regulation, places }, i) => {
      const before = acts[i]!;
      expect(before.places.length).toBeGreaterThanOrEqual(places.length);
      if (before.places.length === places.length) expect(before.regulation < regulation).toBe(true);
    });
  });

  it('are those under which people who are asked must be able to refuse, and no others', () => {
    for (const { regulation, places } of acts)
      for (const code of places) {
        // One that has not begun is demanded too: a banner is published for what comes.
        const begun = [NOW, '2100-01-01T00:00:00.000Z'].map((at) =>
          policyView(ruleAt({ country: code, region: null }, at), null),
        );
        expect(begun.some((view) => view.regulation === regulation && view.rejectRequired)).toBe(true);
      }
    expect(acts.flatMap(({ places }) => places)).not.toContain('US-CA');
    expect(acts.map(({ regulation }) => regulation)).not.toContain(null);
  });

  it('include one that begins later, and go on with it', () => {
    const { regulation } = policyView(ruleAt({ country: 'CL', region: null }, '2027-01-01T00:00:00.000Z'), null);
    for (const at of ['2026-11-30T00:00:00.000Z', plusMs('2026-12-01T03:00:00.000Z', 1)])
      expect(placesOf(regulation!, at)).toContain('CL');
  });
});
