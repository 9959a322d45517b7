import type { Connection } from '../../client/sending/connection.js';
import { tried } from '../../client/page.js';
import { domainsOf, namesOf, pathsOf, type Listed } from './kept-on-device.js';

interface CookieList {
  data: Listed[];
  nextCursor: string | null;
}

const LIST_LIMIT = 200;
/** Entries of one page of the list, times this, are looked at for one purpose. */
const LIST_PAGES_MAX = 10;

/**
 * Deletes what the site's list of cookies says is kept on the device for the purposes: cookies by name, path and every
 * domain above, storage, databases and caches. What serves another purpose as well stays as long as that is allowed.
 */
export async function clean(
  connection: Connection,
  purposes: readonly string[],
  allows: (purpose: string) => boolean,
): Promise<void> {
  const listed = (await Promise.all(purposes.map((purpose) => listOf(connection, purpose)))).flat();
  const over = listed.filter(({ purposeKeys }) => !purposeKeys.some(allows));
  if (over.length === 0) return;
  remove(over);
  // What still runs may write once more before the page is left.
  addEventListener('pagehide', () => remove(over), { once: true });
  await Promise.all([removeDatabases(over), removeCaches(over)]);
}

async function listOf(connection: Connection, purpose: string): Promise<Listed[]> {
  const found: Listed[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < LIST_PAGES_MAX; page++) {
    const asked = { purpose, limit: LIST_LIMIT, ...(cursor !== undefined && { cursor }) };
    const { data, nextCursor } = await connection.read<CookieList>('/v1/cookies', asked);
    found.push(...data);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found;
}

function remove(listed: readonly Listed[]): void {
  for (const entry of listed.filter(({ technology }) => technology === 'COOKIE')) removeCookies(entry);
  for (const [technology, storage] of [
    ['LOCAL_STORAGE', () => localStorage],
    ['SESSION_STORAGE', () => sessionStorage],
  ] as const)
    tried(() => {
      const store = storage();
      for (const entry of listed.filter((each) => each.technology === technology))
        for (const name of namesOf(entry, Object.keys(store))) store.removeItem(name);
    });
}

/** A cookie is deleted only under the path and the domain that it was made with; neither can be seen. */
function removeCookies(entry: Listed): void {
  const names = document.cookie.split('; ').map((pair) => pair.split('=')[0]!);
  const paths = new Set([entry.path, ...pathsOf(location.pathname)]);
  const domains = ['', ...domainsOf(location.hostname).map((domain) => `;domain=${domain}`)];
  for (const name of namesOf(entry, names))
    for (const path of paths)
      for (const domain of domains)
        document.cookie = `${name}=;path=${path}${domain};expires=Thu, 01 Jan 1970 00:00:00 GMT`;
}

async function removeDatabases(listed: readonly Listed[]): Promise<void> {
  const entries = listed.filter(({ technology }) => technology === 'INDEXED_DB');
  if (entries.length === 0) return;
  const names = (await indexedDB.databases().catch(() => [])).flatMap(({ name }) => name ?? []);
  for (const entry of entries) for (const name of namesOf(entry, names)) indexedDB.deleteDatabase(name);
}

async function removeCaches(listed: readonly Listed[]): Promise<void> {
  const entries = listed.filter(({ technology }) => technology === 'CACHE_STORAGE');
  if (entries.length === 0 || !('caches' in window)) return;
  const names = await caches.keys().catch(() => []);
  for (const entry of entries) for (const name of namesOf(entry, names)) await caches.delete(name);
}
