import { roomFor } from './room.mjs';

/** Of 2,000 people, who took 20 MB in 4 s. */
const first = (freeGb: number): Parameters<typeof roomFor>[0] => ({
  people: 2_000,
  bytes: 20e6,
  seconds: 4,
  free: freeGb * 1e9,
  place: '/bench',
});

describe('the room that a rehearsal of size needs', () => {
  it('is said before, with the time, and refused by nothing where there is enough', () => {
    expect(roomFor(first(100), 1_000_000)).toEqual({
      said: '1,000,000 people will take 10 GB (10,000 bytes each; 100 GB are free) and at most 34 min to fill',
      refusal: null,
    });
  });

  it('is refused with the number that fits where there is too little', () => {
    expect(roomFor(first(100), 10_000_000).refusal).toBe(
      '10,000,000 people need 106 GB, with the room that Postgres works in. The bench takes at most 60 % of the 100 GB free at /bench. --subjects 5400000 fits; or name a folder on a larger disk by --data.',
    );
    expect(roomFor(first(100), 5_400_000).refusal).toBeNull();
  });

  it('is refused without a number where nothing fits', () => {
    expect(roomFor(first(9), 1_000).refusal).toContain('free at /bench. Name a folder on a larger disk by --data.');
  });
});
