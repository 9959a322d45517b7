import { getBanner } from '../client/catalogue.js';
import { getConsentState, recordConsentBatch } from '../client/consent.js';
import { AssentError } from '../client/errors.js';
import { kept, randomId } from '../client/page.js';
import { Connection } from '../client/sending/connection.js';
import type { Banner, BatchItem, BatchResult, ConsentState } from '../client/types.js';
import { visitor, VisitorLinkedError } from '../client/visitor.js';
import type { Choice } from './choices.js';
import { visitorName } from './memory.js';
import type { Settings } from './settings.js';

/** For a call with all its tries, in milliseconds. */
const PATIENCE_MS = 30_000;

export type Collection = NonNullable<BatchItem['collection']>;

/** Where, and in which language, something was chosen. Null where the place is not known. */
export interface Place {
  country: string | null;
  region: string | null;
  locale: string;
}

/** What the service recorded of one click. */
export type Records = readonly NonNullable<BatchResult['results'][number]['record']>[];

/** What one visitor asks of the service, with the public key of the page. Calls reject with an AssentError. */
export class Visitor {
  readonly connection: Connection;
  /** What was sent last, and the key under which it is sent again, as it was. */
  private sent = { text: '', records: [] as BatchItem[], idempotencyKey: '' };

  constructor(private readonly settings: Settings) {
    this.connection = new Connection({ baseUrl: settings.baseUrl, apiKey: settings.key, timeoutMs: PATIENCE_MS });
  }

  /** Whether this browser has answered before. Until it does nothing is kept on the device. */
  isKnown(): boolean {
    return kept(visitorName(this.settings)) !== null;
  }

  banner(): Promise<Banner> {
    const { country, region, locale } = this.settings;
    return getBanner(this.connection, { country, region, locale });
  }

  state(fresh: boolean): Promise<ConsentState> {
    return this.stateOf(visitor(this.connection), fresh);
  }

  /** The same of another visitor, `visitor_id:…`. */
  stateOf(reference: string, fresh = false): Promise<ConsentState> {
    const { country, region } = this.settings;
    return getConsentState(this.connection, reference, { fresh, country, region });
  }

  /** All choices or none, and a repetition of the same has no second effect. */
  async save({ country, region, locale }: Place, choices: readonly Choice[], collection: Collection): Promise<Records> {
    const about = {
      subject: visitor(this.connection),
      ...(country !== null && {
        jurisdiction: {
          country,
          ...(region !== null && { region }),
          source: this.settings.country ? ('DECLARED' as const) : ('DETECTED' as const),
        },
      }),
      collection: { url: location.href, locale, ...collection },
    };
    const wanted = choices.map((choice): BatchItem => ({ ...about, ...choice }));
    // The same choice is the same however it was on the screen the second time.
    const text = JSON.stringify(wanted, (name, value: unknown) => (name === 'display' ? undefined : value));
    if (this.sent.text !== text) this.sent = { text, records: wanted, idempotencyKey: randomId() };
    const { records, idempotencyKey } = this.sent;
    try {
      const { results } = await recordConsentBatch(this.connection, records, { mode: 'ATOMIC', idempotencyKey });
      const refused = results.find(({ error }) => error)?.error;
      if (refused) throw new AssentError(refused, 422);
      return results.map(({ record }) => record!);
    } catch (error) {
      // The person has logged in elsewhere since: what is chosen here is that of the visitor that was begun instead.
      if (error instanceof VisitorLinkedError) return this.save({ country, region, locale }, choices, collection);
      throw error;
    }
  }
}

/** What the record says of a banner that was on the screen. */
export const onBanner = (
  banner: Banner,
  method: Collection['method'],
  surface: Collection['surface'],
  display: Collection['display'],
): Collection => ({
  method,
  surface,
  bannerVersion: banner.version,
  noticeHash: banner.contentHash,
  ...(display && { display }),
  ...(banner.presentationToken !== null && { presentationToken: banner.presentationToken }),
});
