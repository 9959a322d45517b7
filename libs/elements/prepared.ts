import type { Banner } from '../client/types.js';
import { placeInCookie, remembered, takeOver } from './memory.js';
import type { RunningElements } from './public.js';
import { EarlyClicks } from './rendered.js';
import { settingsOf, type Settings } from './settings.js';

/**
 * Asks without the client library, so that the answer is on its way while that is loaded; null where none came.
 * `contentHash`: of what the first HTML shows; where something else is shown by now, that comes.
 */
async function servedBanner(
  settings: Settings,
  contentHash?: string,
  early?: EarlyClicks | null,
): Promise<Banner | null> {
  const { baseUrl, key, country, region, locale } = settings;
  const asked = Object.entries({ country, region, locale, contentHash }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(asked as [string, string][]).toString();
  try {
    const answer = await fetch(`${baseUrl}/v1/banner${query && `?${query}`}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    if (answer.status === 409 && early) {
      early.isChanged = true;
      return await servedBanner(settings);
    }
    return answer.ok ? ((await answer.json()) as Banner) : null;
  } catch {
    return null;
  }
}

/** What a page begins with. */
export interface Prepared {
  settings: Settings;
  /** The banner, asked for where this browser has no choice that counts; null where it has one. */
  served: Promise<Banner | null> | null;
  /** What is clicked on a banner that the first HTML brought; null where it brought none. */
  early: EarlyClicks | null;
}

/** Decides from what this browser keeps whether people have to be asked, and asks the service what to show then. */
export function prepared(said: Pick<HTMLScriptElement, 'src' | 'dataset'>): Prepared {
  const rendered = document.querySelector<HTMLElement>('assent-banner[data-content-hash]');
  const settings = settingsOf(said, rendered?.dataset ?? placeInCookie());
  takeOver(settings);
  const asks = !settings.isManual && remembered(settings) === null;
  // Browsers without declarative shadow DOM show none of it.
  const early = rendered?.shadowRoot ? new EarlyClicks({ shadowRoot: rendered.shadowRoot }) : null;
  if (!asks) early?.clear();
  const served = asks ? servedBanner(settings, early ? rendered!.dataset['contentHash'] : undefined, early) : null;
  return { settings, served, early };
}

/** `window.assent`. Members that the page had under the name stay. */
export function expose(page: Promise<RunningElements>): void {
  const before = (window as { assent?: object }).assent ?? {};
  (window as { assent?: object }).assent = Object.create(before, {
    ready: { configurable: true, enumerable: true, get: () => page.then((running) => running.client()) },
    openChoices: { configurable: true, enumerable: true, value: () => page.then((running) => running.openChoices()) },
  }) as object;
}
