/*
 * What this package uses of a browser. Declared here, so that it compiles without the types of one; on servers none of it
 * exists. Browsers and pages take single parts of it away, or put others in their place: nothing here throws.
 */

interface PageStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

declare const document: unknown;
declare const localStorage: PageStorage;
declare const navigator: { globalPrivacyControl?: boolean };
declare const location: { href: string };
declare const origin: string;
declare const addEventListener: (type: 'online', listener: () => void) => void;

export const inPage = (): boolean => typeof document !== 'undefined';

/** What it answers; null where it throws. */
export function tried<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Whether the person objects to the sale of their data by Global Privacy Control. */
export const objectsByGpc = (): boolean => inPage() && tried(() => navigator.globalPrivacyControl) === true;

/** Calls back whenever the browser has a connection again. */
export const onOnline = (back: () => void): unknown => tried(() => addEventListener('online', back));

/** The origin of this page, where an address is of another one; null elsewhere and on servers. */
export const foreignTo = (url: string): string | null =>
  inPage() ? tried(() => (new URL(url, location.href).origin === origin ? null : origin)) : null;

/** Milliseconds that pass as they do for the person, whatever becomes of the clock. They begin with the page. */
export const uptimeMs = (): number => tried(() => performance.now()) ?? Date.now();

/** What could not be kept in the browser. */
const memory = new Map<string, string>();

/**
 * A text that all pages of this origin share and that stays when they are closed. On servers, and where the browser keeps
 * nothing for a page or has no room, it is in memory.
 */
export function kept(name: string): string | null {
  return memory.get(name) ?? stored((store) => store.getItem(name)) ?? null;
}

export function keep(name: string, value: string): void {
  const isStored = stored((store) => (store.setItem(name, value), store.getItem(name) === value));
  if (isStored) memory.delete(name);
  else memory.set(name, value);
}

export function forget(name: string): void {
  memory.delete(name);
  stored((store) => store.removeItem(name));
}

/** The names of what is kept that begin so. */
export function keptNames(prefix: string): string[] {
  const names = stored((store) => Array.from({ length: store.length }, (_, i) => store.key(i) ?? '')) ?? [];
  return [...names, ...memory.keys()].filter((name) => name.startsWith(prefix));
}

const stored = <T>(use: (store: PageStorage) => T): T | null => (inPage() ? tried(() => use(localStorage)) : null);

/**
 * 128 random bits as hex digits. Works on plain http too, where browsers keep `crypto.randomUUID` to themselves. Where there
 * is no `crypto` (Node.js 18 has none in modules), or what stands in its place fills nothing in, ids still differ from each
 * other, but others could guess them.
 */
export function randomId(): string {
  const bytes = new Uint8Array(16);
  tried(() => globalThis.crypto.getRandomValues(bytes));
  return Array.from(bytes, (byte) => (byte ^ (Math.random() * 256)).toString(16).padStart(2, '0')).join('');
}
