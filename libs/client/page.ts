/*
 * The parts of a browser that this package uses. They are declared here, so that it compiles without the types of
 * browsers; on servers none of them exists. Browsers and pages remove or replace single parts: no function here throws.
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

/** Returns the result; null if it throws. */
export function tried<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Whether the person objects to the sale of their data by Global Privacy Control. */
export const objectsByGpc = (): boolean => inPage() && tried(() => navigator.globalPrivacyControl) === true;

/** Calls back whenever the browser is online again. */
export const onOnline = (back: () => void): unknown => tried(() => addEventListener('online', back));

/** The origin of this page if the address has another one; else, and on servers, null. */
export const foreignTo = (url: string): string | null =>
  inPage() ? tried(() => (new URL(url, location.href).origin === origin ? null : origin)) : null;

/** Milliseconds since the page began, independent of changes of the clock. */
export const uptimeMs = (): number => tried(() => performance.now()) ?? Date.now();

/** Texts that the browser could not store. */
const memory = new Map<string, string>();

/**
 * A text that all pages of this origin share and that survives closing them. It is in memory on servers, and if the
 * browser stores nothing for the page or has no room.
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

/** Names of stored texts with this prefix. */
export function keptNames(prefix: string): string[] {
  const names = stored((store) => Array.from({ length: store.length }, (_, i) => store.key(i) ?? '')) ?? [];
  return [...names, ...memory.keys()].filter((name) => name.startsWith(prefix));
}

const stored = <T>(use: (store: PageStorage) => T): T | null => (inPage() ? tried(() => use(localStorage)) : null);

/**
 * 128 random bits as hex digits. Works on plain http too, where browsers offer no `crypto.randomUUID`. Without a
 * working `crypto` (Node.js 18 has none in modules; a page may replace it by one that fills nothing in) ids still
 * differ from each other, but others could guess them.
 */
export function randomId(): string {
  const bytes = new Uint8Array(16);
  tried(() => globalThis.crypto.getRandomValues(bytes));
  return Array.from(bytes, (byte) => (byte ^ (Math.random() * 256)).toString(16).padStart(2, '0')).join('');
}
