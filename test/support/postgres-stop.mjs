// Jest's globalTeardown.
export default async () => globalThis.stopTestPostgres?.();
