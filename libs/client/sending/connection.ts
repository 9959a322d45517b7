import { address } from './address.js';
import { AssentError, UsageError } from '../errors.js';
import { exchange, unlessAborted, type Answer } from './exchange.js';
import { inPage, keep, kept, randomId, uptimeMs } from '../page.js';
import { unlistedOrigin } from './unlisted-origin.js';

/** The person that the page acts for, by a token that your server signed (`signIdentityToken`); null: no person. */
export type IdentityToken = string | null | undefined;

export interface ConnectionOptions {
  /** Address of the service, such as `https://consent.example`. A path before `/v1` may be part of it. */
  baseUrl: string;
  /** In browsers the public key (`pk_…`), on servers the secret key (`sk_…`). */
  apiKey: string;
  /**
   * For how many ms a cached answer is used without asking the service. Default 0: each read asks, which costs an
   * answer without a body (304) if nothing has changed. A write of this client ends it at once.
   */
  cacheTtlMs?: number;
  /** Milliseconds for one call with all its tries; default 10,000. */
  timeoutMs?: number;
  /**
   * With a public key: the identity token of the logged-in person, or a function that returns it. It is called for
   * every request.
   */
  identityToken?: IdentityToken | (() => IdentityToken | Promise<IdentityToken>);
  /** Default: the `fetch` of the platform. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

export interface ReadOptions extends CallOptions {
  /** Past every cache: the answer contains every acknowledged write. */
  fresh?: boolean;
}

export interface WriteOptions extends CallOptions {
  /** Repeats with the same key have one effect, for ever. Default: a random one, which the tries of this call share. */
  idempotencyKey?: string;
}

/** A write, the same for each try. */
export interface Write {
  path: string;
  /** JSON. */
  body: string;
  idempotencyKey: string;
}

const TIMEOUT_MS = 10_000;
/** Bytes that browsers still send after the person leaves the page (Fetch standard: 64 KiB for all requests together). */
const SENT_ON_LEAVING_MAX = 60_000;
/** Most cached answers; the oldest is dropped first. */
const KEPT_MAX = 1000;
/** Type, environment and id of a key, without its secret. */
const KEY_NAME_LENGTH = 20;
/** A position in the log. Checked, because another script may have written what pages share. */
const POSITION = /^\d{1,20}$/;

interface Kept {
  body: unknown;
  etag: string;
  /** Until when the answer is used without asking, in ms of `uptimeMs`. */
  until: number;
  /** The number of known changes when it was asked for. */
  changes: number;
}

/**
 * Speaks to one site and environment with one key: retries, caches answers, shares requests, and reads its own writes.
 * Throws a UsageError for a secret key in a browser.
 */
export class Connection {
  /** Names what pages of this origin share about the site and environment. */
  readonly name: string;
  /** Position of the latest known write in the log. Every read reflects at least that. */
  position: string | null;
  /** Sends a write. The offline queue replaces this function. */
  deliver = (write: Write, signal?: AbortSignal): Promise<unknown> => this.send(write, signal);
  /** Makes the error of a failed call. `asked`: path and body. */
  explain = (error: AssentError, _asked: string): AssentError => error;
  /** Cached answers by request, with the tag by which the service says whether an answer is still right. */
  private readonly answers = new Map<string, Kept>();
  /** Requests on their way, by request. */
  private readonly asked = new Map<string, Promise<unknown>>();
  private changes = 0;

  constructor(readonly options: ConnectionOptions) {
    const { apiKey } = options;
    if (inPage() && apiKey.startsWith('sk_'))
      throw new UsageError({
        code: 'secret_key_in_browser',
        message: 'Every visitor could read this key.',
        hint: 'Use the public key here. If this was published, rotate the key.',
      });
    this.name = `assent.${apiKey.slice(0, KEY_NAME_LENGTH)}`;
    const position = kept(this.name) ?? '';
    this.position = POSITION.test(position) ? position : null;
  }

  /** The answer to a GET with a query. It is frozen, because concurrent callers share it. */
  async read<T>(path: string, { fresh = false, signal, ...query }: ReadOptions & object = {}): Promise<T> {
    if (signal?.aborted) throw signal.reason;
    const identity = await this.identity();
    const asked = address(path, query);
    const name = `${identity} ${asked}`;
    const known = fresh ? undefined : this.answers.get(name);
    if (known && uptimeMs() < known.until && known.changes === this.changes) return known.body as T;
    const question = `${fresh} ${name}`;
    const shared = this.asked.get(question);
    const asking = shared ?? this.ask(name, fresh ? address(asked, { fresh }) : asked, identity, known);
    if (!shared) {
      this.asked.set(question, asking);
      const forget = (): unknown => this.asked.get(question) === asking && this.asked.delete(question);
      asking.then(forget, forget);
    }
    return unlessAborted(asking as Promise<T>, signal);
  }

  /** The answer to a POST, which has one effect however often it is sent. */
  write<T>(path: string, body: unknown, { idempotencyKey = randomId(), signal }: WriteOptions = {}): Promise<T> {
    const write = { path, body: JSON.stringify(body), idempotencyKey };
    return unlessAborted(this.deliver(write, signal) as Promise<T>, signal);
  }

  /** Sends a write now. */
  async send({ path, body, idempotencyKey }: Write, signal?: AbortSignal): Promise<unknown> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
    // So that a choice right before the person leaves the page still reaches the service.
    const keepalive = inPage() && body.length < SENT_ON_LEAVING_MAX;
    let position: string | null = null;
    try {
      const answer = await this.request(
        path,
        { method: 'POST', body, keepalive, headers },
        await this.identity(),
        signal,
      );
      position = answer.headers.get('X-Log-Position');
      return answer.body;
    } finally {
      // A write without an answer may have happened.
      this.changed(position);
    }
  }

  /** Call it after a write: cached answers are no longer used without asking. `position`: in the log, if known. */
  changed(position: string | null): void {
    this.changes++;
    this.asked.clear();
    if (position === null || !POSITION.test(position) || BigInt(position) <= BigInt(this.position ?? -1)) return;
    this.position = position;
    // So that the next page of this visit reads these writes too.
    keep(this.name, position);
  }

  private async ask(name: string, path: string, identity: string | null, known: Kept | undefined): Promise<unknown> {
    const { changes, position, answers } = this;
    const { cacheTtlMs = 0 } = this.options;
    const headers: Record<string, string> = {};
    if (known) headers['If-None-Match'] = known.etag;
    if (position !== null) headers['X-Log-Position'] = position;
    const answer = await this.request(path, { headers }, identity);
    const body = answer.status === 304 ? known!.body : frozen(answer.body);
    const etag = answer.headers.get('ETag');
    answers.delete(name);
    if (etag !== null) answers.set(name, { body, etag, until: uptimeMs() + cacheTtlMs, changes });
    if (answers.size > KEPT_MAX) answers.delete(answers.keys().next().value!);
    return body;
  }

  private async identity(): Promise<string | null> {
    const { identityToken } = this.options;
    return (typeof identityToken === 'function' ? await identityToken() : identityToken) ?? null;
  }

  private async request(
    path: string,
    init: RequestInit & { headers: Record<string, string> },
    identity: string | null,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const { baseUrl, apiKey, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch } = this.options;
    const base = baseUrl.replace(/\/+$/, '');
    init.headers['Authorization'] = `Bearer ${apiKey}`;
    if (identity !== null) init.headers['Consent-Identity'] = identity;
    try {
      return await exchange({ url: base + path, init, timeoutMs, signal, fetch });
    } catch (error) {
      if (!(error instanceof AssentError)) throw error;
      const unlisted = error.code === 'no_connection' ? await unlistedOrigin(base, this.options) : null;
      throw unlisted ?? this.explain(error, `${path} ${String(init.body)}`);
    }
  }
}

/** Callers share an answer, so none may change it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
