/** What a promise resolves to, or null where it takes longer. What becomes of it afterwards is nobody's business any more. */
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
