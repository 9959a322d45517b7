import type { Answer, World } from './world.js';

/** The banner of the demo site, as it is published. */
export interface DemoBanner {
  /** Publishes it with other members; answers how to undo that. */
  change(change: object): Promise<() => Promise<void>>;
  /** The same for the time of a test. */
  with(change: object, test: () => Promise<void>): Promise<void>;
  /** The same in Arabic besides, which is written from right to left. */
  arabic(): Promise<object>;
}

const PATH = '/admin/v1/sites/demo/test/catalogue';
const WORDS = 'خصوصيتك مهمة';

export function demoBannerOf(world: World): DemoBanner {
  const published = async (): Promise<Record<string, unknown>> =>
    (await world.request('GET', PATH, { key: 'operator' })).body['banner'] as Record<string, unknown>;
  /** Answers whether that changed something. */
  const publish = async (banner: object): Promise<boolean> => {
    const { status, text, body }: Answer = await world.request('POST', PATH, {
      key: 'operator',
      body: { purposes: [], banner },
    });
    if (status !== 200) throw new Error(text);
    return body['published'] as boolean;
  };
  const changed: DemoBanner['change'] = async (change) => {
    const before = await published();
    const isOther = await publish({ ...before, ...change });
    return async () => void (isOther && (await publish(before)));
  };
  return {
    change: changed,
    with: async (change, test) => {
      const undo = await changed(change);
      try {
        await test();
      } finally {
        await undo();
      }
    },
    arabic: async () => {
      const banner = JSON.parse(
        JSON.stringify(await published()).replace(
          /"de":"([^"]*)"/g,
          (_, text: string) => `"ar":${JSON.stringify(text.startsWith('http') ? text : WORDS)}`,
        ),
      ) as Record<string, Record<string, unknown>>;
      // Two words for two deeds: a banner whose buttons say the same is not published.
      Object.assign(banner['labels']!, {
        rejectAll: { en: 'Reject all', ar: 'رفض الكل' },
        acceptAll: { en: 'Accept all', ar: 'قبول الكل' },
      });
      return banner;
    },
  };
}
