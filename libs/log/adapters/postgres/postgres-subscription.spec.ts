import { settlesWithin } from '../../../../test/support/timing.js';
import { PostgresSubscription } from './postgres-subscription.js';

/** Longer than the rest of a subscription that is hurried, and shorter than that of one that is not. */
const BETWEEN_MS = 15;

describe('a subscription that rests between two looks', () => {
  it.each([true, false])('looks at what is new soon where a caller waits for it: %s', async (isHurried) => {
    let looked = (): void => undefined;
    const nextLook = (): Promise<void> => new Promise((resolve) => (looked = resolve));
    const first = nextLook();
    const subscription = new PostgresSubscription(
      { after: -1n, prefixes: [], onBatch: () => Promise.resolve() },
      (after) => {
        looked();
        return Promise.resolve({ events: [], through: after, hasNext: false });
      },
      () => undefined,
    );
    try {
      await first;
      const next = nextLook();
      subscription.wake();
      if (isHurried) subscription.hurry();
      expect(await settlesWithin(BETWEEN_MS, next)).toBe(isHurried);
    } finally {
      await subscription.stop();
    }
  });
});
