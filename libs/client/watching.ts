import type { Connection } from './sending/connection.js';
import { inPage, onOnline, tried } from './page.js';

/** Looks again at what depends on consent. `fresh`: past every cache. Never rejects. */
export type Look = (fresh: boolean) => unknown;

/** What waits for a change, and how tabs tell each other of one. */
interface Watch {
  looks: Set<Look>;
  /** Null outside of pages, and where the browser has none: other tabs then look again at their next page. */
  tabs: InstanceType<typeof BroadcastChannel> | null;
}

const watches = new WeakMap<Connection, Watch>();

/** Calls back after each change of consent, until the function that it returns is called. Costs nothing meanwhile. */
export function watch(connection: Connection, look: Look): () => void {
  const { looks } = watchOf(connection);
  looks.add(look);
  return () => void looks.delete(look);
}

/**
 * Says that consent has changed: call it once a banner has written. Everything that waits looks again, past every cache, in
 * this tab and in the others of this origin.
 */
export function notifyConsentChanged(connection: Connection): void {
  const { looks, tabs } = watchOf(connection);
  tried(() => tabs?.postMessage(connection.position));
  changed(connection, looks, null);
}

function watchOf(connection: Connection): Watch {
  let watch = watches.get(connection);
  if (!watch) {
    watch = { looks: new Set(), tabs: null };
    watches.set(connection, watch);
    if (inPage()) tellTabs(connection, watch);
  }
  return watch;
}

function tellTabs(connection: Connection, watch: Watch): void {
  watch.tabs = tried(() => new BroadcastChannel(connection.name));
  if (watch.tabs)
    watch.tabs.onmessage = ({ data: position }: { data: unknown }) =>
      changed(connection, watch.looks, typeof position === 'string' ? position : null);
  // Who could not be asked before can be asked now.
  onOnline(() => changed(connection, watch.looks, null));
}

function changed(connection: Connection, looks: ReadonlySet<Look>, position: string | null): void {
  connection.changed(position);
  for (const look of looks) look(true);
}
