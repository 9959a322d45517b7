import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { canonicalJson, refusal, type Instant, type Refusal, type Scope } from '../kernel/index.js';
import { Injectable } from '@nestjs/common';
import { byteaArray, textArray, uuidArray } from '../engines/database/binary-array.js';
import { Database } from '../engines/database/database.js';
import { GroupCommit } from '../engines/database/group-commit.js';
import { MasterKey } from '../vault/master-key.js';
import { whyNotSealed, type MetRow, type Newcomer, type SubjectRow } from '../vault/vault.js';
import { itemDigest } from './item-keys.js';
import { textInScope, type KeyScope } from './key-scope.js';
import { ERASED, FORGET, RELEASE, RENAME, RESERVE, SEEN, STANDING, WINDOWS } from './statements.js';

/** How long an unfinished request keeps others with its key waiting; longer than any request may run. */
const LEASE_MS = 5_000;
/** How long a request that failed waits for its reservation to be released. A database that works takes a few. */
const RELEASED_WITHIN_MS = 200;

/** An Idempotency-Key in its scope and the request that it stands for, both as digests in hex. */
export interface RequestKey {
  digest: string;
  fingerprint: string;
  /** It is one of the service's own, see `ownKey`. */
  own?: true;
}

/** What a row names: at most one of them is ours to work under. */
export interface Named {
  /** The subjects that the request was about when its key was first reserved, in the order in which it names them. */
  subjects: readonly string[];
  /** Those of them that were erased since. */
  erased: readonly string[];
}

/** When that can have been recorded which stands under a key. */
export interface KeyWindow {
  since: Instant;
  until?: Instant;
  /** No other process can have used the key before this moment of `performance.now()`: it was new, and this process holds the lease. */
  leasedUntilMs?: number;
}

export type Reserved =
  /**
   * Ours to carry out. `fresh`: the key was never seen before. `met`: what was found or made for the newcomer that it is
   * reserved for; null where there is none, or a rival is just making it.
   */
  | ({ kind: 'ours'; owner: string; fresh: boolean; since: Instant; met: MetRow | null } & Named)
  /** Another request has the same key and the same body: it is done or still running. The stream shows which. */
  | ({ kind: 'seen' } & Named)
  /** The key stands for another request. */
  | { kind: 'other' };

/** Of a key that is looked for. `gone`: it was used for the same request, about a subject that was erased since. */
export type SeenBefore = 'never' | 'same' | 'other' | 'gone';

export interface Owned {
  /** Digest of the key. */
  key: string;
  owner: string;
}

interface Wanted {
  key: RequestKey;
  owner: string;
  subjects: readonly string[];
  newcomer: Newcomer | null;
}

interface ReservedRow extends Omit<SubjectRow, 'subject_id'> {
  owner: string;
  fresh: boolean | null;
  /** Null where the row was not taken. */
  reserved_at: Date | null;
  /** The newcomer was made a subject. */
  created: boolean;
  /** The subject that the newcomer's reference named before; null where it named none. */
  subject_id: string | null;
}

/** What a row says of a key that was seen before. */
interface StandingRow extends Named {
  owner: string;
  same: boolean;
}

/**
 * An index of the idempotency keys in the log, with a row per key that is written before the effect. It finds the reuse
 * of a key with another body or subject, a request in flight, and requests about a subject that was erased. It is not the
 * proof of an effect: the proof stands in the event stream.
 */
@Injectable()
export class IdempotencyReservations {
  private readonly running = new Map<string, string>();
  /** For each of these keys that was new: when it can have been used. */
  private readonly windows = new Map<string, KeyWindow>();
  private readonly reserving: GroupCommit<Wanted, Reserved>;

  constructor(
    private readonly database: Database,
    private readonly master: MasterKey,
  ) {
    this.reserving = new GroupCommit((items) => this.reserveGroup(items));
  }

  /**
   * A key inside its scope: keys are the caller's text and may say anything. Keyed with the master key, as the
   * fingerprint is: both stay in the log after an erasure, and a plain hash of an e-mail address and five possible
   * decisions would tell by trying whose the anonymous evidence is.
   */
  digestOf(scope: KeyScope, key: string): string {
    return this.master.requestDigest(textInScope(scope, key));
  }

  /** The same of an item that was sent without a key of its own. */
  itemDigest(scope: Scope, requestDigest: string, index: number): string {
    return itemDigest(this.master, scope, requestDigest, index);
  }

  /** What makes two requests the same: method, path and canonical body. */
  fingerprintOf(method: string, path: string, body: unknown): string {
    return this.master.requestDigest(`${method} ${path}\n${canonicalJson(body)}`);
  }

  /** The key of a request as it was sent; null where it has none. */
  keyOf(scope: KeyScope, key: string | null, method: string, path: string, body: unknown): RequestKey | null {
    if (key === null) return null;
    return { digest: this.digestOf(scope, key), fingerprint: this.fingerprintOf(method, path, body) };
  }

  /**
   * `subjects`: the subjects of the request, as far as they are known before it is carried out. `newcomer`: the one subject
   * among them that may be unknown. It is found or made in the same statement.
   */
  async reserve(key: RequestKey, subjects: readonly string[], newcomer: Newcomer | null = null): Promise<Reserved> {
    const rival = this.running.get(key.digest);
    if (rival !== undefined)
      return rival === key.fingerprint ? { kind: 'seen', subjects: [], erased: [] } : { kind: 'other' };
    this.running.set(key.digest, key.fingerprint);
    const leasedUntilMs = performance.now() + LEASE_MS;
    try {
      const reserved = await this.reserving.submit({ key, owner: randomUUID(), subjects, newcomer });
      if (reserved.kind !== 'ours') this.running.delete(key.digest);
      else if (reserved.fresh) this.windows.set(key.digest, { since: reserved.since, leasedUntilMs });
      return reserved;
    } catch (error) {
      this.running.delete(key.digest);
      throw error;
    }
  }

  /** Whether a key was seen before, without reserving it. */
  async seen(key: RequestKey): Promise<SeenBefore> {
    return (await this.seenAll([key])).get(key.digest) ?? 'never';
  }

  /** The same of several, by their digests. A key that was never seen is absent. */
  async seenAll(keys: readonly RequestKey[]): Promise<Map<string, SeenBefore>> {
    if (keys.length === 0) return new Map();
    const rows = await this.database.query<{ n: number; same: boolean; gone: boolean }>(SEEN, [
      byteaArray(keys.map(({ digest }) => Buffer.from(digest, 'hex'))),
      byteaArray(keys.map(({ fingerprint }) => Buffer.from(fingerprint, 'hex'))),
    ]);
    return new Map(rows.map(({ n, same, gone }) => [keys[n - 1]!.digest, !same ? 'other' : gone ? 'gone' : 'same']));
  }

  /** Where to look for what stands under keys that were reserved, by their digests. Nothing for a key without a row. */
  async windowsOf(keys: readonly string[]): Promise<Map<string, KeyWindow>> {
    const found = new Map<string, KeyWindow>();
    const others: string[] = [];
    for (const key of keys) {
      const window = this.windows.get(key);
      if (window) found.set(key, window);
      else others.push(key);
    }
    if (others.length === 0) return found;
    const rows = await this.database.query<{ key: string; since: Date; until: Date }>(WINDOWS, [others]);
    for (const { key, since, until } of rows)
      found.set(key, { since: since.toISOString(), until: until.toISOString() });
    return found;
  }

  /** The effect is in the log; the row stays. */
  done(keys: readonly string[]): void {
    for (const key of keys) {
      this.running.delete(key);
      this.windows.delete(key);
    }
  }

  /** The request was refused and had no effect: refused requests are not remembered. */
  async forget(owned: readonly Owned[]): Promise<void> {
    this.done(owned.map(({ key }) => key));
    await this.database.query(FORGET, ownedBy(owned));
  }

  /**
   * Whether it had an effect is not known; a retry may look at once. Best effort: else the lease runs out by itself. A
   * caller who is to be refused because the database hangs does not wait for the same database again.
   */
  async release(owned: readonly Owned[]): Promise<void> {
    if (owned.length === 0) return;
    this.done(owned.map(({ key }) => key));
    const released = this.database.query(RELEASE, ownedBy(owned)).catch(() => undefined);
    await Promise.race([released, pause(RELEASED_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Replaces the subject in the rows of these keys: the request is about another one than was known at its reservation. Comes before its effect. */
  async rename(owned: readonly Owned[], from: string, to: string): Promise<void> {
    if (owned.length > 0 && from !== to) await this.database.query(RENAME, [...ownedBy(owned), from, to]);
  }

  /**
   * Closes every key whose request was about one of these subjects: such a request is never carried out or answered again.
   * Comes before the subjects' rows in the vault are deleted, because afterwards the same reference names a new subject.
   */
  async subjectsErased(subjectIds: readonly string[]): Promise<void> {
    await this.database.query(ERASED, [subjectIds]);
  }

  private async reserveGroup(items: Wanted[]): Promise<Reserved[]> {
    const newcomers = items.map(({ newcomer }) => newcomer);
    const reserving = this.database.query<ReservedRow>(RESERVE, [
      byteaArray(items.map(({ key }) => Buffer.from(key.digest, 'hex'))),
      byteaArray(items.map(({ key }) => Buffer.from(key.fingerprint, 'hex'))),
      uuidArray(items.map(({ owner }) => owner)),
      textArray(items.map(({ subjects }) => subjects.join(','))),
      LEASE_MS / 1000,
      textArray(newcomers.map((one) => one?.scope.site ?? null)),
      textArray(newcomers.map((one) => one?.scope.env ?? null)),
      byteaArray(newcomers.map((one) => one?.digest ?? null)),
      textArray(newcomers.map((one) => one?.identifierId ?? null)),
      textArray(newcomers.map((one) => one?.kind ?? null)),
      byteaArray(newcomers.map((one) => one?.sealed ?? null)),
      byteaArray(newcomers.map((one) => one?.wrapped ?? null)),
      this.master.id,
    ]);
    const rows = await reserving.catch((error: unknown) => {
      throw whyNotSealed(error);
    });
    const byOwner = new Map(rows.map((row) => [row.owner, row]));
    const standing = await this.standingOf(items.filter(({ owner }) => byOwner.get(owner)!.fresh !== true));
    return items.map(({ owner, subjects, newcomer }): Reserved => {
      const { fresh, reserved_at: reservedAt, created, subject_id: knownId, ...row } = byOwner.get(owner)!;
      const met: MetRow | null = created
        ? { created }
        : knownId !== null
          ? { created, subject_id: knownId, ...row }
          : null;
      const there = standing.get(owner);
      if (reservedAt !== null) {
        const ours = { kind: 'ours', owner, since: reservedAt.toISOString(), met } as const;
        // A row of this very statement names whom it was given, or whom the newcomer turned out to be.
        if (fresh) return { fresh, subjects: newcomer && knownId !== null ? [knownId] : subjects, erased: [], ...ours };
        return { fresh: false, subjects: there?.subjects ?? [], erased: there?.erased ?? [], ...ours };
      }
      // Where there is no row any more, a rival has just let the key go.
      if (there?.same === false) return { kind: 'other' };
      return { kind: 'seen', subjects: there?.subjects ?? [], erased: there?.erased ?? [] };
    });
  }

  private async standingOf(items: readonly Wanted[]): Promise<Map<string, StandingRow>> {
    if (items.length === 0) return new Map();
    const rows = await this.database.query<StandingRow>(STANDING, [
      byteaArray(items.map(({ key }) => Buffer.from(key.digest, 'hex'))),
      byteaArray(items.map(({ key }) => Buffer.from(key.fingerprint, 'hex'))),
      uuidArray(items.map(({ owner }) => owner)),
    ]);
    return new Map(rows.map((row) => [row.owner, row]));
  }
}

const ownedBy = (owned: readonly Owned[]): [string[], string[]] => [
  owned.map(({ key }) => key),
  owned.map(({ owner }) => owner),
];

export const keyReused = (): Refusal =>
  refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request.',
    'Use a new key for a new request; repeat a request with exactly the same body.',
    [{ path: 'Idempotency-Key', message: 'stands for another request' }],
  );

export const stillRunning = (): Refusal =>
  refusal(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running.',
    'Repeat the same request after a second; its answer will be the one of the first.',
  );
