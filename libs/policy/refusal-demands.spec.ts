import { describe, expect, it } from '@jest/globals';
import { plusMs } from '../kernel/index.js';
import { refusalDemandedBy } from './refusal-demands.js';
import { ruleAt, ruleStarts } from './look-up.js';
import { PLACES } from './places.js';
import { policyView } from './view.js';

const NOW = '2026-11-22T12:00:00.000Z';
const placesOf = (key: string, at = NOW): readonly string[] | undefined =>
  refusalDemandedBy(at).find(({ regulation }) => regulation === key)?.places;

describe('the acts that demand a refusal', () => {
  const acts = () => refusalDemandedBy(NOW);

  it('come with their places in order, those of most places first, and those of as many by name', () => {
    const [first, ...others] = acts();
    expect(first).toMatchObject({ regulation: 'GDPR', places: expect.arrayContaining(['AT', 'DE', 'FR', 'NO']) });
    for (const { places } of acts()) expect(places).toEqual([...new Set(places)].sort());
    others.forEach(({ regulation, places }, i) => {
      const before = acts()[i]!;
      expect(before.places.length).toBeGreaterThanOrEqual(places.length);
      if (before.places.length === places.length) expect(before.regulation < regulation).toBe(true);
    });
  });

  // A rule that has ended demands nothing; one that has not begun does, since a banner is published for what comes.
  it.each(['2015-01-01T00:00:00.000Z', NOW, '2026-12-01T02:59:59.999Z', '2100-01-01T00:00:00.000Z'])(
    'are those of every place whose rule of this moment, or of a later one, lets people refuse: %s',
    (at) => {
      const demanded = new Set<string>();
      for (const code of PLACES.keys()) {
        const where = { country: code.slice(0, 2), region: code.includes('-') ? code : null };
        for (const moment of [at, ...ruleStarts(where).filter((start) => start > at)]) {
          const { regulation, rejectRequired } = policyView(ruleAt(where, moment), null);
          if (rejectRequired && regulation !== null) demanded.add(`${regulation} ${code}`);
        }
      }
      const found = refusalDemandedBy(at).flatMap(({ regulation, places }) =>
        places.map((code) => `${regulation} ${code}`),
      );
      expect(found.sort()).toEqual([...demanded].sort());
    },
  );

  it('are of a region where its own act demands it, and of none that has another model', () => {
    expect(placesOf('LAW_25')).toEqual(['CA-QC']);
    expect(acts().flatMap(({ places }) => places)).not.toContain('US-CA');
  });

  it('include one that begins later, and go on with it', () => {
    const { regulation } = policyView(ruleAt({ country: 'CL', region: null }, '2027-01-01T00:00:00.000Z'), null);
    for (const at of ['2026-11-30T00:00:00.000Z', plusMs('2026-12-01T03:00:00.000Z', 1)])
      expect(placesOf(regulation!, at)).toContain('CL');
  });
});
