import {
  AssentError,
  Connection,
  getBanner,
  getConsentState,
  notifyConsentChanged,
  recordConsentBatch,
  visitor,
  watch,
  type Banner,
  type BatchItem,
  type ConsentState,
} from '../../../client/index.js';
import type { Choice } from './shown.js';

declare const location: { href: string; search: string };

/** How long a call may take with all its tries. A visitor without a connection does not wait: the call fails at once. */
const PATIENCE_MS = 30_000;

/** What one visitor of the page asks of the service, with the public key of the demo. All of it by the client library. */
export interface Visitor {
  /** The banner of the place and language that the address of the page names. */
  banner(): Promise<Banner>;
  /**
   * Sends choices in one batch; a repetition of the same has no second effect. Answers null where all are recorded, else
   * why not; rejects where no answer came.
   */
  save(banner: Banner, choices: readonly Choice[], method: Method): Promise<Refused | null>;
  /** By purpose, what may be done now. */
  state(): Promise<ConsentState['purposes']>;
  /** Says in all tabs of this origin that something was chosen. */
  notify(): void;
  /** Calls back whenever something was chosen, in this tab or another. */
  onChange(look: () => unknown): void;
}

export type Refused = Pick<AssentError, 'code' | 'message'>;
export type Method = NonNullable<BatchItem['collection']>['method'];

export function visitorOf(prefix: string, publicKey: string): Visitor {
  const connection = new Connection({ baseUrl: prefix, apiKey: publicKey, timeoutMs: PATIENCE_MS });
  const wanted = new URLSearchParams(location.search);
  const named = (name: string): string | undefined => wanted.get(name) || undefined;
  const place = { country: named('country'), region: named('region') };
  /** What was sent last, and the key under which it is sent again. */
  let sent = { records: '', idempotencyKey: '' };

  return {
    banner: () => getBanner(connection, { ...place, locale: named('locale') }),
    save: async (banner, choices, method) => {
      const { country, region } = banner.policy;
      const about = {
        subject: visitor(connection),
        ...(country !== null && {
          jurisdiction: {
            country,
            ...(region !== null && { region }),
            source: place.country ? ('DECLARED' as const) : ('DETECTED' as const),
          },
        }),
        collection: {
          method,
          surface: 'BANNER' as const,
          url: location.href,
          locale: banner.locale,
          bannerVersion: banner.version,
          noticeHash: banner.contentHash,
          ...(banner.presentationToken !== null && { presentationToken: banner.presentationToken }),
        },
      };
      const records = choices.map((choice) => ({ ...about, ...choice }));
      const text = JSON.stringify(records);
      if (sent.records !== text) sent = { records: text, idempotencyKey: randomKey() };
      const { idempotencyKey } = sent;
      try {
        const { results } = await recordConsentBatch(connection, records, { mode: 'ATOMIC', idempotencyKey });
        return results.find(({ error }) => error)?.error ?? null;
      } catch (error) {
        if (error instanceof AssentError && error.status > 0 && error.status < 500) return error;
        throw error;
      }
    },
    state: async () => (await getConsentState(connection, visitor(connection), place)).purposes,
    notify: () => notifyConsentChanged(connection),
    onChange: (look) => void watch(connection, look),
  };
}

/** Works on plain http too, where browsers keep `crypto.randomUUID` to themselves. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
