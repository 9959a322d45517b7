import { AssentError, ConnectionError, errorOf } from '../errors.js';
import { uptimeMs } from '../page.js';

const TRIES = 3;
/** The first wait is at most this long, each later one at most twice as long as the one before. */
const FIRST_WAIT_MS = 300;

export interface Attempt {
  url: string;
  init: RequestInit;
  signal?: AbortSignal | undefined;
  fetch: typeof fetch;
}

export interface Question extends Attempt {
  /** For all tries and waits together. */
  timeoutMs: number;
}

export interface Answer {
  /** Below 400. */
  status: number;
  headers: Headers;
  text: string;
  /** The text as JSON; null for an empty text. */
  body: unknown;
}

/**
 * Asks until an answer comes that another try would not change: up to three tries within the time, with random waits
 * between them (full jitter), longer if `Retry-After` says so. The request must be safe to repeat: a read, or a write
 * under an idempotency key. Rejects with an AssentError. A signal ends a try at once, and a wait before the next try.
 */
export async function exchange(question: Question): Promise<Answer> {
  const { timeoutMs, signal } = question;
  const end = uptimeMs() + timeoutMs;
  for (let tries = 1; ; tries++) {
    if (signal?.aborted) throw reasonOf(signal);
    const leftMs = end - uptimeMs();
    // Half of the time, so that another try is possible after one that hangs.
    const outcome = await attempt(question, tries < TRIES ? leftMs / 2 : leftMs);
    if (!(outcome instanceof AssentError)) return outcome;
    const waitMs = outcome.retryAfterMs + Math.random() * FIRST_WAIT_MS * 2 ** (tries - 1);
    if (!mayPass(outcome) || tries === TRIES || uptimeMs() + waitMs >= end) throw outcome;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    // A browser refuses `keepalive` if more is sent at the same time than it delivers after the page is left.
    question.init.keepalive = false;
  }
}

/** Whether the same request can soon have another answer. */
export const mayPass = ({ status, code }: AssentError): boolean =>
  status === 0 || status === 429 || status >= 500 || code === 'idempotency_in_progress';

/** One try. An answer that breaks off is no answer. Ends in time, even with a replaced `fetch` that does not end. */
export async function attempt({ url, init, signal, fetch }: Attempt, timeoutMs: number): Promise<Answer | AssentError> {
  const controller = typeof AbortController === 'function' ? new AbortController() : null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<AssentError>((resolve) => {
    const timedOut = new ConnectionError({ code: 'timed_out', message: 'No answer came in time.' });
    timer = setTimeout(() => {
      resolve(timedOut);
      controller?.abort();
    }, timeoutMs);
  });
  const answer = async (): Promise<Answer | AssentError> => {
    const response = await fetch(url, { ...init, ...(controller && { signal: controller.signal }) });
    const { status, headers } = response;
    const text = await response.text();
    if (status >= 400) return errorOf(status, parsed(text), retryAfterMsOf(headers));
    return { status, headers, text, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  try {
    return await unlessAborted(Promise.race([answer(), late]), signal);
  } catch (cause) {
    controller?.abort();
    if (signal?.aborted) throw reasonOf(signal);
    const unreachable = { code: 'no_connection', message: 'The service could not be reached.' };
    return Object.assign(new ConnectionError(unreachable), { cause });
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Seconds, or a date (RFC 9110 section 10.2.3); 0 if the header has neither. */
function retryAfterMsOf(headers: Headers): number {
  const text = headers.get('Retry-After') ?? '0';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms > 0 ? ms : 0;
}

/** Resolves like the promise, unless the signal is aborted first: then it rejects with the reason of the signal. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void promise.then(resolve, reject).then(() => signal.removeEventListener('abort', abort));
  });
}

/** Browsers before 2022 give a signal no reason. */
const reasonOf = ({ reason }: AbortSignal): unknown =>
  reason ?? Object.assign(new Error('The call was ended.'), { name: 'AbortError' });
