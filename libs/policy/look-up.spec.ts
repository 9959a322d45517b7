import { describe, expect, it } from '@jest/globals';
import { plusMs } from '../kernel/index.js';
import { allRuleStarts, inForceAt, nameOfRule, ruleAt, ruleStarts, secondsKept } from './look-up.js';
import { PLACES } from './places.js';
import { timelineOf } from './timeline.js';

const NOW = '2026-11-22T12:00:00.000Z';
const CHILE = { country: 'CL', region: null };
const CHILE_BEGINS = '2026-12-01T03:00:00.000Z';

describe('when rules begin', () => {
  it('is said of a place in order, without the rule that was always there', () => {
    expect(ruleStarts(CHILE)).toEqual([CHILE_BEGINS]);
    expect(ruleStarts({ country: null, region: null })).toEqual([]);
    for (const code of PLACES.keys()) {
      const where = { country: code.slice(0, 2), region: code.includes('-') ? code : null };
      const starts = ruleStarts(where);
      expect([code, starts]).toEqual([code, [...starts].sort()]);
      for (const start of starts) expect(ruleAt(where, start)).not.toBe(ruleAt(where, plusMs(start, -1)));
    }
  });

  it('is said of all places together, each moment once and in order', () => {
    const starts = allRuleStarts();
    expect(starts).toEqual([...new Set(starts)].sort());
    expect(starts).toContain(CHILE_BEGINS);
    expect(new Set(starts)).toEqual(
      new Set([...PLACES.keys()].flatMap((code) => ruleStarts({ country: code.slice(0, 2), region: code }))),
    );
  });
});

describe('the rule in force', () => {
  it('is the newest that has begun, and the oldest before that', () => {
    const timeline = timelineOf('CL', null);
    expect(inForceAt(timeline, CHILE_BEGINS)).toBe(timeline.at(-1));
    expect(inForceAt(timeline, plusMs(CHILE_BEGINS, -1))).toBe(timeline.at(-2));
    expect(inForceAt(timeline, '0000-01-01T00:00:00.000Z')).toBe(timeline[0]);
  });
});

describe('the name of a rule', () => {
  const dated = ruleAt(CHILE, NOW);

  it('differs with the country, the place, the time and what was changed of it, and with nothing else', () => {
    const by = { place: 'CL', fields: [], who: 'DPO', why: 'Advised.', effectiveFrom: null };
    const names = [
      nameOfRule(dated, 'CL'),
      nameOfRule(dated, null),
      nameOfRule(ruleAt(CHILE, CHILE_BEGINS), 'CL'),
      nameOfRule({ ...dated, from: NOW }, 'CL'),
      nameOfRule({ ...dated, to: null }, 'CL'),
      nameOfRule({ ...dated, overriddenBy: [by] }, 'CL'),
      nameOfRule({ ...dated, overriddenBy: [{ ...by, place: 'CL-RM' }] }, 'CL'),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(nameOfRule({ ...dated, overriddenBy: [] }, 'CL')).toBe(names[0]);
  });

  it('is built of codes and times alone', () => {
    expect(nameOfRule(dated, 'CL')).toBe(`CL   ${CHILE_BEGINS}`);
    expect(nameOfRule({ ...dated, to: null }, null)).toBe('   ');
    expect(nameOfRule(ruleAt(CHILE, CHILE_BEGINS), 'CL')).toBe(`CL CL ${CHILE_BEGINS} `);
  });
});

describe('how long an answer is kept', () => {
  it.each([
    ['five minutes where its rule goes on', null, 300],
    ['five minutes where its rule ends later', plusMs(NOW, 3_600_000), 300],
    ['no longer than its rule, in whole seconds', plusMs(NOW, 10_999), 10],
    ['not at all in the last second', plusMs(NOW, 999), 0],
  ])('%s', (_, to, seconds) => expect(secondsKept({ ...ruleAt(CHILE, NOW), to }, NOW)).toBe(seconds));
});
