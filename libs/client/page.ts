/*
 * What this package uses of a browser. Declared here, so that it compiles without the types of one; on servers none of it
 * exists.
 */

interface PageStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

declare const document: unknown;
declare const localStorage: PageStorage;
declare const navigator: { globalPrivacyControl?: boolean };
declare const addEventListener: (type: 'online', listener: () => void) => void;

export const inPage = (): boolean => typeof document !== 'undefined';

/** Whether the person objects to the sale of their data by Global Privacy Control. */
export const objectsByGpc = (): boolean => inPage() && navigator.globalPrivacyControl === true;

/** Calls back whenever the browser has a connection again. */
export const onOnline = (back: () => void): void => addEventListener('online', back);

/** What could not be kept in the browser. */
const memory = new Map<string, string>();

/**
 * A text that all pages of this origin share and that stays when they are closed. On servers, and where the browser keeps
 * nothing for a page, it is in memory.
 */
export function kept(name: string): string | null {
  return stored((store) => store.getItem(name)) ?? memory.get(name) ?? null;
}

export function keep(name: string, value: string): void {
  if (stored((store) => (store.setItem(name, value), true)) === null) memory.set(name, value);
}

/** Answers null where there is no storage: on servers, and where the person forbids it or it is full. */
export function stored<T>(use: (store: PageStorage) => T): T | null {
  try {
    return inPage() ? use(localStorage) : null;
  } catch {
    return null;
  }
}

/** 128 random bits as hex digits. Works on plain http too, where browsers keep `crypto.randomUUID` to themselves. */
export function randomId(): string {
  const bytes = new Uint8Array(16);
  // Node.js 18 has no `crypto` in modules. What is made there are idempotency keys, which nobody has to guess.
  return Array.from(globalThis.crypto?.getRandomValues(bytes) ?? bytes.map(() => Math.random() * 256), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
