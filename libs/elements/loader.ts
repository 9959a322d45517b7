import { stubs } from './interfaces/stubs.js';
import type * as PageModule from './page.js';
import { expose, prepared } from './prepared.js';
import { attributesOf, settingsOf } from './settings.js';
import { bodyBegun } from './timing.js';
import { trusted } from './trusted.js';

/*
 * The script that a page names. It decides whether people have to be asked, from what this browser keeps alone, and loads
 * the rest: what to show and how to show it at the same time, in two requests that do not wait for each other.
 */

const STARTED = Symbol.for('assent.elements');
const script = (document.currentScript ??
  document.querySelector('script[data-key][src*="/elements/v1/assent"]')) as HTMLScriptElement | null;

function start(tag: HTMLScriptElement): void {
  const { files, offers } = settingsOf(tag, null);
  if (!tag.dataset['again']) stubs(offers);
  const loaded = import(files + PAGE_FILE) as Promise<typeof PageModule>;
  const begun = bodyBegun().then(() => {
    const { settings, served, early } = prepared(tag);
    // Loaded already when the page needs it. Where that fails, the page says so.
    if (served) void import(files + BANNER_FILE).catch(() => undefined);
    return loaded.then(({ begin }) => begin(settings, served, early));
  });
  // A release that was put in place of another has other files than the script that a browser kept names. A page that
  // names a hash wants exactly that release.
  begun.catch((error: unknown) => ((tag.dataset['again'] ?? tag.integrity) ? console.error(error) : again(tag)));
  expose(begun);
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
