import { address } from './address.js';
import { AssentError, UsageError } from '../errors.js';
import { exchange, unlessAborted, type Answer } from './exchange.js';
import { inPage, keep, kept, randomId, uptimeMs } from '../page.js';
import { unlistedOrigin } from './unlisted-origin.js';

/** Whom the page acts for: the token that your server signed (`signIdentityToken`), or null for nobody. */
export type IdentityToken = string | null | undefined;

export interface ConnectionOptions {
  /** Where the service is, such as `https://consent.example`. A path before `/v1` may be part of it. */
  baseUrl: string;
  /** In browsers the public key (`pk_…`), on servers the secret key (`sk_…`). */
  apiKey: string;
  /**
   * For so many milliseconds an answer at hand is given again without asking whether it still holds. Default 0: each read
   * asks, which costs an answer without a body (304) where nothing has changed. Writes of this client end it at once.
   */
  cacheTtlMs?: number;
  /** Milliseconds for one call with all its tries; default 10,000. */
  timeoutMs?: number;
  /** With a public key: the identity token of whoever is logged in, or what answers it. It is asked for at every call. */
  identityToken?: IdentityToken | (() => IdentityToken | Promise<IdentityToken>);
  /** Default: the `fetch` of the platform. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

export interface ReadOptions extends CallOptions {
  /** Past every cache: it never misses a write that was acknowledged. */
  fresh?: boolean;
}

export interface WriteOptions extends CallOptions {
  /** Repeats with the same key have one effect, for ever. Default: a random one, which the tries of this call share. */
  idempotencyKey?: string;
}

/** A write on its way: the same however often it is tried. */
export interface Write {
  path: string;
  /** JSON. */
  body: string;
  idempotencyKey: string;
}

const TIMEOUT_MS = 10_000;
/** Bytes that browsers send on after a page is left (Fetch standard: 64 KiB for all requests together). */
const SENT_ON_LEAVING_MAX = 60_000;
/** Answers that are kept; the one kept longest goes first. */
const KEPT_MAX = 1000;
/** Type, environment and id of a key, without its secret. */
const KEY_NAME_LENGTH = 20;
/** A position in the log. What pages share may have been written by another script. */
const POSITION = /^\d{1,20}$/;

interface Kept {
  body: unknown;
  etag: string;
  /** Until when it is given again without asking; milliseconds of `uptimeMs`. */
  until: number;
  /** How many changes were known when it was asked for. */
  changes: number;
}

/**
 * Speaks to one site and environment with one key: tries again, keeps answers, shares requests, and reads its own writes.
 * Throws a UsageError where a secret key would be in a browser.
 */
export class Connection {
  /** Names what pages of this origin share about the site and environment. */
  readonly name: string;
  /** Where the latest known write stands in the log: what is read reflects at least that. */
  position: string | null;
  /** Sends a write. What keeps writes while there is no connection takes its place. */
  deliver = (write: Write, signal?: AbortSignal): Promise<unknown> => this.send(write, signal);
  /** What a failed call rejects with. `asked`: path and body. */
  explain = (error: AssentError, _asked: string): AssentError => error;
  /** By what is asked, what was answered, with the tag by which the service says whether it still holds. */
  private readonly answers = new Map<string, Kept>();
  /** By what is asked, the question that is on its way. */
  private readonly asked = new Map<string, Promise<unknown>>();
  private changes = 0;

  constructor(readonly options: ConnectionOptions) {
    const { apiKey } = options;
    if (inPage() && apiKey.startsWith('sk_'))
      throw new UsageError({
        code: 'secret_key_in_browser',
        message: 'Everybody could read this key.',
        hint: 'Use the public key here. If this was published, rotate the key.',
      });
    this.name = `assent.${apiKey.slice(0, KEY_NAME_LENGTH)}`;
    const position = kept(this.name) ?? '';
    this.position = POSITION.test(position) ? position : null;
  }

  /** The answer to a GET with a query. It is frozen, since those who ask at the same time share it. */
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
    // What is chosen right before a page is left reaches the service all the same.
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
      // A write that nobody answered may have happened.
      this.changed(position);
    }
  }

  /** Something was written: no answer at hand is given again without asking. `position`: where in the log, where known. */
  changed(position: string | null): void {
    this.changes++;
    this.asked.clear();
    if (position === null || !POSITION.test(position) || BigInt(position) <= BigInt(this.position ?? -1)) return;
    this.position = position;
    // The next page of this visit reads these writes too.
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

/** Those who share an answer must not change it for each other. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
