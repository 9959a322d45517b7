import type { Choice, ShownBanner } from './shown.js';

declare const location: { href: string; search: string };
declare const navigator: { globalPrivacyControl?: boolean };
declare const localStorage: { getItem(name: string): string | null; setItem(name: string, value: string): void };

/** What one visitor of the page asks of the service, with the public key of the demo. */
export interface Visitor {
  /**
   * The banner of the place and language that the address of the page names, or why there is none. `kept`: a copy will do
   * that the browser got some minutes ago.
   */
  banner(kept: boolean): Promise<ShownBanner | { message: string }>;
  /**
   * Sends choices in one batch; a repetition of the same has no second effect. Answers null where all are recorded, else
   * why not; rejects where no answer came. `state` answers what follows from them.
   */
  save(banner: ShownBanner, choices: readonly Choice[], method: string): Promise<Refused | null>;
  /** By purpose, what may be done now. */
  state(): Promise<Record<string, { state: string; effective: string; effectiveReason: string }>>;
}

export interface Refused {
  code: string;
  message: string;
}

export function visitorOf(prefix: string, publicKey: string): Visitor {
  const ask = (
    path: string,
    options: { method?: string; headers?: object; body?: string; cache?: 'default' | 'no-cache' } = {},
  ): Promise<Response> =>
    fetch(`${prefix}${path}`, { ...options, headers: { Authorization: `Bearer ${publicKey}`, ...options.headers } });
  /** Works on plain http too, where browsers keep `crypto.randomUUID` to themselves. */
  const random = (): string =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const visitor = localStorage.getItem('assent.visitor') ?? random();
  localStorage.setItem('assent.visitor', visitor);
  const subject = `visitor_id:${visitor}`;

  const wanted = new URLSearchParams(location.search);
  const place = new URLSearchParams();
  for (const name of ['country', 'region']) if (wanted.get(name)) place.set(name, wanted.get(name)!);
  const query = new URLSearchParams(place);
  if (wanted.get('locale')) query.set('locale', wanted.get('locale')!);

  /** What was sent last, and the key under which it is sent again. */
  let sent = { body: '', key: '' };
  /** Up to where the log is to be reflected in what is read. */
  let position: string | null = null;

  return {
    banner: async (kept) => {
      const answered = await ask(`/v1/banner?${query}`, { cache: kept ? 'default' : 'no-cache' });
      return (await answered.json()) as ShownBanner | { message: string };
    },
    save: async (banner, choices, method) => {
      const { country, region } = banner.policy;
      const about = {
        subject,
        ...(country !== null && {
          jurisdiction: {
            country,
            ...(region !== null && { region }),
            source: wanted.get('country') ? 'DECLARED' : 'DETECTED',
          },
        }),
        collection: {
          method,
          surface: 'BANNER',
          url: location.href,
          locale: banner.locale,
          bannerVersion: banner.version,
          noticeHash: banner.contentHash,
          ...(banner.presentationToken !== null && { presentationToken: banner.presentationToken }),
        },
        ...(navigator.globalPrivacyControl === true && { signals: { gpc: true } }),
      };
      const body = JSON.stringify({ mode: 'ATOMIC', records: choices.map((choice) => ({ ...about, ...choice })) });
      if (sent.body !== body) sent = { body, key: random() };
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': sent.key };
      const answered = await ask('/v1/consent/batch', { method: 'POST', headers, body });
      if (answered.status !== 200) return (await answered.json()) as Refused;
      const { results } = (await answered.json()) as { results: { error?: Refused }[] };
      const refused = results.find(({ error }) => error !== undefined);
      if (refused) return refused.error!;
      position = answered.headers.get('X-Log-Position');
      return null;
    },
    state: async () => {
      const path = `/v1/subjects/${encodeURIComponent(subject)}/consent?${place}`;
      const answered = await ask(path, { headers: position === null ? {} : { 'X-Log-Position': position } });
      return ((await answered.json()) as { purposes: Awaited<ReturnType<Visitor['state']>> }).purposes;
    },
  };
}
