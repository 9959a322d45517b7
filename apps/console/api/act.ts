import { useRef, useState } from 'preact/hooks';
import { Problem } from './problem.js';

/** What an act adds to its call, so that the service does it once however often it is sent. */
export interface Once {
  readonly headers: { readonly 'Idempotency-Key': string };
}

/** Something that an operator does, while it is under way and after it was refused. */
export interface Act<A extends readonly unknown[]> {
  readonly isBusy: boolean;
  /** Why the last try failed; null: it did not, or there was none. */
  readonly problem: Problem | null;
  /** True: done. False: refused, see `problem`. A second press while the first is under way does nothing. */
  run(...args: A): Promise<boolean>;
  /** Forgets the problem. */
  reset(): void;
}

/**
 * @param act throws a Problem where the service refuses; see `answered`. It spreads `once` into its call. Where no answer
 * came, pressing again with the same input sends the same key.
 */
export function useAct<A extends readonly unknown[]>(act: (once: Once, ...args: A) => Promise<unknown>): Act<A> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const unanswered = useRef<{ input: string; once: Once } | null>(null);
  const run = async (...args: A): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setProblem(null);
    const input = JSON.stringify(args);
    const kept = unanswered.current?.input === input ? unanswered.current.once : null;
    const once = kept ?? { headers: { 'Idempotency-Key': crypto.randomUUID() } };
    unanswered.current = { input, once };
    try {
      await act(once, ...args);
      unanswered.current = null;
      return true;
    } catch (thrown) {
      const failed = Problem.from(thrown);
      if (failed.kind !== 'offline' && failed.kind !== 'broken') unanswered.current = null;
      setProblem(failed);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, run, reset: () => setProblem(null) };
}
