import { AssentError, ConnectionError, errorOf } from './errors.js';

const TRIES = 3;
/** The first wait is at most this long, each later one at most twice as long as the one before. */
const FIRST_WAIT_MS = 300;

export interface Question {
  url: string;
  init: RequestInit;
  /** For all tries and waits together. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  fetch: typeof fetch;
}

export interface Answer {
  /** Below 400. */
  status: number;
  headers: Headers;
  text: string;
  /** The text as JSON; null of an empty one. */
  body: unknown;
}

/**
 * Asks until an answer comes that another try would not change: up to three tries within the time, with random waits in
 * between (full jitter), longer where `Retry-After` says so. What is asked must be safe to ask twice: reads, and writes
 * under an idempotency key. Rejects with an AssentError. A signal ends a try at once, and a wait before the next try.
 */
export async function exchange(question: Question): Promise<Answer> {
  const { timeoutMs, signal } = question;
  const end = Date.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    if (signal?.aborted) throw signal.reason;
    const leftMs = end - Date.now();
    // A try that hangs leaves time for another one.
    const outcome = await attempt(question, tries < TRIES ? leftMs / 2 : leftMs);
    if (!(outcome instanceof AssentError)) return outcome;
    const waitMs = outcome.retryAfterMs + Math.random() * FIRST_WAIT_MS * 2 ** (tries - 1);
    if (!mayPass(outcome) || tries === TRIES || Date.now() + waitMs >= end) throw outcome;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Whether the same question can have another answer soon. */
export const mayPass = ({ status, code }: AssentError): boolean =>
  status === 0 || status === 429 || status >= 500 || code === 'idempotency_in_progress';

/** One try. An answer that breaks off is no answer. */
async function attempt({ url, init, signal, fetch }: Question, timeoutMs: number): Promise<Answer | AssentError> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    const { status, headers } = response;
    const text = await response.text();
    if (status >= 400) return errorOf(status, parsed(text), retryAfterMsOf(headers));
    return { status, headers, text, body: text === '' ? null : (JSON.parse(text) as unknown) };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const problem = controller.signal.aborted
      ? { code: 'timed_out', message: 'No answer came in time.' }
      : { code: 'no_connection', message: 'The service could not be reached.' };
    return Object.assign(new ConnectionError(problem), { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Seconds, or a date (RFC 9110 section 10.2.3); 0 where the header says neither. */
function retryAfterMsOf(headers: Headers): number {
  const text = headers.get('Retry-After') ?? '0';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms > 0 ? ms : 0;
}

/** What a promise answers, unless the signal is aborted first: then it rejects with the reason of the signal. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void promise.then(resolve, reject).then(() => signal.removeEventListener('abort', abort));
  });
}
