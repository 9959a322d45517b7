/**
 * Makes something at most once at a time, and not again until it is `ms` old: everyone who asks meanwhile gets the same.
 * A failure reaches those who waited for it and is not kept. With 0 ms only work that is under way is shared.
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
