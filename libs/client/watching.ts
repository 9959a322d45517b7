import type { Connection } from './sending/connection.js';
import { inPage, onOnline, tried } from './page.js';

/** Reads the state of consent again. `fresh`: past every cache. Never rejects. */
export type Look = (fresh: boolean) => unknown;

/** The callbacks of one connection, and the channel by which tabs announce a change. */
interface Watch {
  looks: Set<Look>;
  /** Null outside of pages, and in browsers without BroadcastChannel: other tabs then read again at their next page. */
  tabs: InstanceType<typeof BroadcastChannel> | null;
}

const watches = new WeakMap<Connection, Watch>();

/** Calls back after each change of consent, until the returned function is called. */
export function watch(connection: Connection, look: Look): () => void {
  const { looks } = watchOf(connection);
  looks.add(look);
  return () => void looks.delete(look);
}

/**
 * Announces that consent has changed: call it once a banner has written. All gates and consent modes read the state
 * again, past every cache, in all tabs of this origin.
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
  // The service may be reachable again.
  onOnline(() => changed(connection, watch.looks, null));
}

function changed(connection: Connection, looks: ReadonlySet<Look>, position: string | null): void {
  connection.changed(position);
  for (const look of looks) look(true);
}
