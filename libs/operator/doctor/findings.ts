export type Verdict = 'ok' | 'warn' | 'fail';

/** The result of one check. */
export interface Finding {
  check: string;
  verdict: Verdict;
  found: string;
  /** What to do; null where all is well. */
  fix: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, verdict: 'ok', found, fix: null });
export const warn = (check: string, found: string, fix: string): Finding => ({ check, verdict: 'warn', found, fix });
export const fail = (check: string, found: string, fix: string): Finding => ({ check, verdict: 'fail', found, fix });
