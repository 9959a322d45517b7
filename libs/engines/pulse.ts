interface Beat {
  timer: NodeJS.Timeout;
  calls: Set<() => void>;
}

const beats = new Map<number, Beat>();

/**
 * Calls a function every `everyMs` until the returned function is called. All that have the same period are called in the
 * same turn: what they ask can then be asked together. Does not keep the process alive. `call` must not throw.
 */
export function onPulse(everyMs: number, call: () => void): () => void {
  let beat = beats.get(everyMs);
  if (!beat) {
    const calls = new Set<() => void>();
    const timer = setInterval(() => {
      for (const each of [...calls]) each();
    }, everyMs).unref();
    beats.set(everyMs, (beat = { timer, calls }));
  }
  const { calls, timer } = beat;
  // Its own function, so that the same one given twice is two.
  const own = (): void => call();
  calls.add(own);
  return () => {
    if (!calls.delete(own) || calls.size > 0) return;
    clearInterval(timer);
    beats.delete(everyMs);
  };
}
