import { expect, it } from '@jest/globals';
import type { SimulationDto } from '../../../consent/dto.js';
import { simulated } from './catalogue-simulation.js';

const part = (over: Partial<SimulationDto>): SimulationDto => ({
  at: '2026-11-22T12:00:00.000Z',
  changes: [],
  subjects: 0,
  share: 1,
  impacts: [],
  nextCursor: null,
  hasMore: over.nextCursor !== undefined,
  ...over,
});
const impact = (
  purpose: string,
  country: string | null,
  [askAgain, becomeBlocked, becomeAllowed]: [number, number, number],
) => ({ purpose, country, askAgain, becomeBlocked, becomeAllowed });

it('adds the parts up in their order, and shows how far it has come', async () => {
  const parts: Record<string, SimulationDto> = {
    begin: part({
      subjects: 3,
      share: 0.5,
      impacts: [impact('b', 'DE', [1, 2, 3]), impact('b', null, [1, 0, 0])],
      nextCursor: 'next',
    }),
    next: part({ subjects: 2, impacts: [impact('a', 'FR', [1, 1, 0]), impact('b', 'DE', [4, 0, 1])] }),
  };
  const shown: [number, number, string][] = [];
  let ended = 0;
  const progress = { show: (...args: [number, number, string]) => void shown.push(args), end: () => void ended++ };
  expect(await simulated((cursor) => Promise.resolve(parts[cursor ?? 'begin']!), progress)).toEqual({
    at: '2026-11-22T12:00:00.000Z',
    changes: [],
    subjects: 5,
    impacts: [impact('a', 'FR', [1, 1, 0]), impact('b', null, [1, 0, 0]), impact('b', 'DE', [5, 2, 4])],
  });
  expect(shown).toEqual([
    [0.5, 3, 'subjects'],
    [1, 5, 'subjects'],
  ]);
  expect(ended).toBe(1);
});

it('takes the bar away where the service refuses', async () => {
  let ended = 0;
  const refused = simulated(() => Promise.reject(new Error('no')), { show: () => undefined, end: () => void ended++ });
  await expect(refused).rejects.toThrow('no');
  expect(ended).toBe(1);
});
