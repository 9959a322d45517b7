import { knownAndUnknown } from '../support/portal-timing.js';
import { startWorld, type World } from '../support/world.js';

/** The long form of what `portal-intake.spec.ts` tries: a thousand people who are known, a thousand who are not. */
let world: World;
beforeAll(async () => void (world = await startWorld({ own: true })));
afterAll(() => world?.stop());

it.each(['ACCESS', 'OPT_OUT_SALE_SHARE'])(
  'a request on a page shows by nothing, nor by its time, whether somebody is known: %s',
  async (type) => {
    const { shapes, deviation } = await knownAndUnknown(world, type, 1000);
    expect(shapes).toBe(1);
    expect(Math.abs(deviation)).toBeLessThan(4.5);
  },
  600_000,
);
