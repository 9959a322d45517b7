/** What a promise resolves to, or null after `timeoutMs`. A later result or rejection is dropped. */
export async function inTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(
    (resolve) => (timer = setTimeout(() => resolve(null), Math.max(0, timeoutMs)).unref()),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
