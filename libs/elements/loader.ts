import type { Banner } from '../client/types.js';
import { stubs } from './interfaces/stubs.js';
import { remembered, takeOver } from './memory.js';
import type * as PageModule from './page.js';
import { attributesOf, settingsOf, type Settings } from './settings.js';
import { trusted } from './trusted.js';

/*
 * The script that a page names. It decides whether people have to be asked, from what this browser keeps alone, and loads
 * the rest: what to show and how to show it at the same time, in two requests that do not wait for each other.
 */

const STARTED = Symbol.for('assent.elements');
const script = (document.currentScript ??
  document.querySelector('script[data-key][src*="/elements/v1/assent"]')) as HTMLScriptElement | null;

/** Asks without the client library, so that the answer is on its way while that is loaded; null where none came. */
async function servedBanner({ baseUrl, key, country, region, locale }: Settings): Promise<Banner | null> {
  const asked = Object.entries({ country, region, locale }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(asked as [string, string][]).toString();
  try {
    const answer = await fetch(`${baseUrl}/v1/banner${query && `?${query}`}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    return answer.ok ? ((await answer.json()) as Banner) : null;
  } catch {
    return null;
  }
}

function start(tag: HTMLScriptElement): void {
  const settings = settingsOf(tag);
  if (!tag.dataset['again']) stubs(settings.offers);
  takeOver(settings);
  const asks = !settings.isManual && remembered(settings) === null;
  const served = asks ? servedBanner(settings) : null;
  // Loaded already when the page needs it. Where that fails, the page says so.
  if (asks) void import(settings.files + BANNER_FILE).catch(() => undefined);
  const page = (import(settings.files + PAGE_FILE) as Promise<typeof PageModule>).then(({ begin }) =>
    begin(settings, served),
  );
  // A release that was put in place of another has other files than the script that a browser kept names. A page that
  // names a hash wants exactly that release.
  page.catch((error: unknown) => ((tag.dataset['again'] ?? tag.integrity) ? console.error(error) : again(tag)));

  const before = (window as { assent?: object }).assent ?? {};
  (window as { assent?: object }).assent = Object.create(before, {
    ready: { configurable: true, enumerable: true, get: () => page.then((running) => running.client()) },
    openChoices: { configurable: true, enumerable: true, value: () => page.then((running) => running.openChoices()) },
  }) as object;
}

/** Once more, past the browser's copies. */
function again(tag: HTMLScriptElement): void {
  const next = document.createElement('script');
  for (const { name, value } of tag.attributes) if (name !== 'src') next.setAttribute(name, value);
  next.dataset['again'] = '1';
  next.src = trusted().createScriptURL(
    `${tag.src.replace(/\?.*/, '').replace(/assent-\w+\.js$/, 'assent.js')}?${Date.now()}`,
  );
  delete (window as { [STARTED]?: boolean })[STARTED];
  document.head.append(next);
}

if (script) attributesOf(script);
if (script?.dataset['key'] && !(STARTED in window)) {
  Object.defineProperty(window, STARTED, { value: true, configurable: true });
  start(script);
}
