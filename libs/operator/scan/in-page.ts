/** What runs inside the pages, as text: this program is compiled without the types of browsers. */

/** Most characters of a name that are kept; the list of cookies takes no longer one. */
export const NAME_MAX = 200;

/**
 * Runs before every script of every frame. Says which script writes a cookie, storage or a database: `say(technology, name,
 * url)`. The address is the first one in the stack, since this text has none.
 */
export const watchWrites = (binding: string): string => `(() => {
  const say = window[${JSON.stringify(binding)}];
  if (typeof say !== 'function') return;
  const seen = new Set();
  const report = (technology, name) => {
    try {
      const [, url] = /(https?:\\/\\/[^\\s()]+?):\\d+:\\d+/.exec(new Error().stack || '') || [];
      const key = technology + ' ' + name + ' ' + url;
      if (url === undefined || seen.has(key) || seen.size > 2000) return;
      seen.add(key);
      Promise.resolve(say(technology, String(name).slice(0, ${NAME_MAX}), url)).catch(() => {});
    } catch {}
  };
  const around = (owner, method, technologyOf, nameOf = (name) => name) => {
    const original = owner && owner.prototype[method];
    if (!original) return;
    owner.prototype[method] = function (...args) {
      report(technologyOf(this), nameOf(args[0]));
      return original.apply(this, args);
    };
  };
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  Object.defineProperty(Document.prototype, 'cookie', {
    ...cookie,
    set(text) {
      report('COOKIE', String(text).split(/[=;]/)[0].trim());
      return cookie.set.call(this, text);
    },
  });
  const storage = (store) => {
    try {
      return store === sessionStorage ? 'SESSION_STORAGE' : 'LOCAL_STORAGE';
    } catch {
      return 'LOCAL_STORAGE';
    }
  };
  around(window.Storage, 'setItem', storage);
  around(window.CookieStore, 'set', () => 'COOKIE', (first) => (first && first.name) || first);
  around(window.IDBFactory, 'open', () => 'INDEXED_DB');
  around(window.CacheStorage, 'open', () => 'CACHE_STORAGE');
})()`;

/** Answers the names that a frame keeps, by technology. Where the browser denies storage, there are none. */
export const KEPT_IN_FRAME = `(async () => {
  const tried = async (read) => {
    try {
      return await Promise.race([read(), new Promise((done) => setTimeout(done, 2000, []))]);
    } catch {
      return [];
    }
  };
  return {
    LOCAL_STORAGE: await tried(() => Object.keys(localStorage)),
    SESSION_STORAGE: await tried(() => Object.keys(sessionStorage)),
    INDEXED_DB: await tried(async () => (await indexedDB.databases()).map(({ name }) => name)),
    CACHE_STORAGE: await tried(() => caches.keys()),
  };
})()`;

/** Where the links of a page lead, at most 2,000. */
export const LINKS = `[...document.querySelectorAll('a[href]')].slice(0, 2000).map(({ href }) => String(href))`;

/** Settles when timers that the page set before for an earlier moment have run, also where the machine is busy. */
export const pause = (ms: number): string => `new Promise((done) => setTimeout(done, ${ms}))`;
