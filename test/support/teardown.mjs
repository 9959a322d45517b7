// Jest's globalTeardown.
export default async () => globalThis.tearDownTests?.();
