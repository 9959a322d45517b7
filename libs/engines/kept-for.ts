/**
 * Makes a value once at a time, and answers it to all callers until it is `ms` old. A failure rejects the callers that
 * waited for it, and the next caller tries again. With 0 ms callers share only work that is under way.
 */
export function keptFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  let until = Infinity;
  return () => {
    if (kept !== null && performance.now() < until) return kept;
    const made = make();
    [kept, until] = [made, Infinity];
    made.then(
      () => (until = performance.now() + ms),
      () => (kept = null),
    );
    return made;
  };
}
