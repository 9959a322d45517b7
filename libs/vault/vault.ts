import { createHmac, hash, randomBytes, randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  ANONYMOUS_KINDS,
  FORGOTTEN,
  newId,
  referenceText,
  type FieldCipher,
  type Reference,
  type Scope,
} from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { GroupCommit } from '../engines/database/group-commit.js';
import { idBytes } from '../engines/id-bytes.js';
import { openWith, sealWith, type MasterKey } from './master-key.js';
import { FOUND, IS_PERSON } from './statements.js';

/** Subjects in each of two caches, some 2.5 MB. A miss costs its share of one grouped look-up. */
const CACHED_SUBJECTS = 5_000;
/** How long a look-up may be answered from memory, in ms: every instance notices an erasure or a merge within it. */
const CACHE_MS = 4_000;

export interface ResolvedSubject {
  subjectId: string;
  /** True for the one caller whose look-up reserved the identifier. The subject's stream is still empty then. */
  created: boolean;
  identifierId: string;
}

/** What is known of a subject beside its id, without reading its stream. */
export interface FoundSubject extends ResolvedSubject {
  /** It has an identifier of its own that is not a random handle: it is a person. */
  isPerson: boolean;
  /** It took part in a merge, or is about to: read its stream to learn which subject it belongs to. */
  wasMerged: boolean;
}

export interface SubjectRow {
  subject_id: string;
  identifier_id: string;
  wrapped: Buffer | null;
  person: boolean;
  merged: boolean | null;
}

/** An identifier as it is looked up. */
interface Sought {
  scope: Scope;
  digest: Buffer;
}

/**
 * A reference that may have no subject yet, with all that the vault needs to make one. The statement that reserves an
 * idempotency key also finds or makes the subject.
 */
export interface Newcomer extends Sought {
  reference: Reference;
  /** Id of the new subject; used where no subject has the reference. */
  subjectId: string;
  identifierId: string;
  kind: string;
  sealed: Buffer;
  wrapped: Buffer;
  key: Buffer;
}

/** The subject that a statement made or found for a newcomer. No row: another request is making the subject. */
export type MetRow = { created: true } | ({ created: false } & SubjectRow);

const FIND = {
  name: 'vault_find_identifiers',
  text: `select w.n::int as n, known.*
         from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as w(site, env, digest, n) ${FOUND}
         where known.subject_id is not null`,
};

const FIND_BY_ID = {
  name: 'vault_find_subject',
  text: `select i.subject_id, i.identifier_id, k.wrapped, k.merged, ${IS_PERSON} from vault.identifiers i left join vault.subject_keys k using (subject_id)
         where i.subject_id = $3 and i.site = $1 and i.env = $2 limit 1`,
};

// The unique row is the reservation of the identifier: of two first writes at once, one inserts and both read the same row.
// Sorted, so that two requests with the same identifiers wait for each other and never deadlock.
const RESERVE = {
  name: 'vault_reserve_identifiers',
  text: `with wanted as (
           select * from unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::bytea[])
             as w(site, env, digest, subject_id, identifier_id, kind, sealed, wrapped)
         ), reserved as (
           insert into vault.identifiers (site, env, digest, subject_id, identifier_id, kind, sealed)
           select site, env, digest, subject_id, identifier_id, kind, sealed from wanted order by site, env, digest
           on conflict do nothing returning subject_id
         )
         insert into vault.subject_keys (subject_id, wrapped, master) select subject_id, wrapped, $9::text from reserved join wanted using (subject_id) returning subject_id`,
};

// All or nothing: an identifier that is taken fails the whole statement (unique_violation).
const RESERVE_FOR_ONE = {
  name: 'vault_reserve_for_one',
  text: `with made as (insert into vault.subject_keys (subject_id, wrapped, master) select $3::text, $8::bytea, $9::text where $8::bytea is not null)
         insert into vault.identifiers (site, env, digest, subject_id, identifier_id, kind, sealed)
         select $1, $2, digest, $3::text, identifier_id, kind, sealed from unnest($4::bytea[], $5::text[], $6::text[], $7::bytea[]) as w(digest, identifier_id, kind, sealed) order by digest`,
};

const DESTROY = {
  name: 'vault_destroy_subjects',
  text: `with keys as (delete from vault.subject_keys where subject_id = any($1::text[]))
         delete from vault.identifiers where subject_id = any($1::text[])`,
};
const RELEASE = {
  name: 'vault_release_identifiers',
  text: 'delete from vault.identifiers where identifier_id = any($1::text[]) returning subject_id',
};
const NOTE_MERGE = {
  name: 'vault_note_merge',
  text: 'update vault.subject_keys set merged = true where subject_id = any($1::text[]) and not merged',
};
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';

const KEY = { name: 'vault_subject_key', text: 'select wrapped from vault.subject_keys where subject_id = $1' };
const KEYS = {
  name: 'vault_subject_keys',
  text: 'select subject_id, wrapped from vault.subject_keys where subject_id = any($1::text[])',
};
const IDENTIFIERS = {
  name: 'vault_identifiers_of',
  text: 'select identifier_id, kind, sealed from vault.identifiers where subject_id = $1 order by identifier_id',
};
const PUT_SECRET = {
  name: 'vault_put_secret',
  text: 'insert into vault.sealed_secrets (name, sealed, master) values ($1, $2, $3) on conflict (name) do nothing returning name',
};
const SECRET = { name: 'vault_secret', text: 'select sealed from vault.sealed_secrets where name = $1' };

/** What memory knows a reference by: digests, so that it holds no identifiers. */
interface CacheKey extends Scope {
  cacheKey: string;
  /** As the table has it. */
  digest?: Buffer;
}

const KEY_BYTES = 32;
const drawn = Buffer.alloc(64 * KEY_BYTES);
let handedOut = drawn.length;

/** A key for a new subject. Random bytes for 64 keys are drawn at a time, and each key is wiped when it is handed out. */
function newKey(): Buffer {
  if (handedOut === drawn.length) {
    randomFillSync(drawn);
    handedOut = 0;
  }
  const key = Buffer.from(drawn.subarray(handedOut, handedOut + KEY_BYTES));
  drawn.fill(0, handedOut, (handedOut += KEY_BYTES));
  return key;
}

/**
 * Maps references to subjects, and holds the key that makes a subject's personal fields in the log readable. The one
 * store that cannot be rebuilt from the log. Deleting a subject's key erases the subject.
 */
export class Vault {
  private readonly found: LRUCache<string, FoundSubject>;
  private readonly keys: LRUCache<string, Buffer>;
  private readonly salt = randomBytes(16).toString('hex');
  /** The guard and the handler look up the same reference of a request: its cache key and its digest are made once. */
  private readonly cacheKeys = new WeakMap<Reference, CacheKey>();
  private readonly finding: GroupCommit<Sought, SubjectRow | null>;
  private readonly reserving: GroupCommit<Newcomer, boolean>;

  constructor(
    private readonly database: Database,
    private readonly master: MasterKey,
    /** Subjects in the cache, for some seconds each; their memory is taken at the start. */
    cachedSubjects = CACHED_SUBJECTS,
  ) {
    const remembered = { max: cachedSubjects, ttl: CACHE_MS, ttlResolution: 100 };
    this.found = new LRUCache(remembered);
    this.keys = new LRUCache(remembered);
    this.finding = new GroupCommit((sought) => this.findGroup(sought));
    this.reserving = new GroupCommit((reservations) => this.reserveGroup(reservations));
  }

  /** The answer of `find` from memory, at once; undefined where it is not there. */
  remembered(scope: Scope, reference: Reference): FoundSubject | undefined {
    return this.found.get(this.cacheKey(scope, reference));
  }

  /** The subject that a reference names, or null. A `subject:` reference names itself where the scope knows it. */
  async find(scope: Scope, reference: Reference): Promise<FoundSubject | null> {
    const cacheKey = this.cacheKey(scope, reference);
    const cached = this.found.get(cacheKey);
    if (cached) return cached;
    const digest = this.digestOf(scope, reference);
    const row =
      reference.kind === 'subject'
        ? (await this.database.query<SubjectRow>(FIND_BY_ID, [scope.site, scope.env, reference.value]))[0]
        : await this.finding.submit({ scope, digest });
    return row ? this.remember(cacheKey, row) : null;
  }

  /**
   * Like `find`; makes the subject and its key where there is none. Writes nothing to the log. Null only for a `subject:`
   * reference without a subject: this service gives out ids, callers cannot claim one. `newSubjectId`: the id for a new
   * subject, of a caller who has just looked in vain; another request may still be faster.
   */
  async findOrCreate(
    scope: Scope,
    reference: Reference,
    nowMs: number,
    newSubjectId?: string,
  ): Promise<ResolvedSubject | null> {
    const known = newSubjectId === undefined ? await this.find(scope, reference) : null;
    if (known || reference.kind === 'subject') return known;
    const newcomer = this.newcomer(scope, reference, nowMs, newSubjectId);
    if (await this.reserving.submit(newcomer)) return this.met(newcomer, { created: true });
    const rival = await this.find(scope, reference);
    return rival ?? this.findOrCreate(scope, reference, nowMs);
  }

  /** All that the vault needs to make a subject of a reference. Writes nothing. */
  newcomer(
    scope: Scope,
    reference: Reference,
    nowMs: number,
    subjectId: string = newId('sub', nowMs, idBytes),
  ): Newcomer {
    const identifierId = newId('idn', nowMs, idBytes);
    const key = newKey();
    return {
      scope,
      reference,
      digest: this.digestOf(scope, reference),
      subjectId,
      identifierId,
      kind: reference.kind,
      sealed: sealWith(key, Buffer.from(reference.value), identifierId),
      wrapped: this.master.wrapSubjectKey(subjectId, key),
      key,
    };
  }

  /** The subject of a newcomer: the one that was just made, or the one that already had its reference. */
  met({ scope, reference, subjectId, identifierId, key }: Newcomer, row: MetRow): ResolvedSubject {
    const cacheKey = this.cacheKey(scope, reference);
    if (!row.created) return this.remember(cacheKey, row);
    this.keys.set(subjectId, key);
    this.found.set(cacheKey, {
      subjectId,
      identifierId,
      created: false,
      isPerson: !ANONYMOUS_KINDS.includes(reference.kind),
      wasMerged: false,
    });
    return { subjectId, identifierId, created: true };
  }

  /**
   * Reserves free identifiers for one subject, a new one or an existing one. All or nothing: null where another subject
   * has taken one of them meanwhile, or the subject was erased.
   */
  async reserve(
    scope: Scope,
    references: readonly Reference[],
    nowMs: number,
    { existing, newSubjectId }: { existing: string | null; newSubjectId: string },
  ): Promise<{ subjectId: string; identifierIds: string[] } | null> {
    const subjectId = existing ?? newSubjectId;
    const key = existing === null ? newKey() : await this.keyOf(existing);
    if (!key) return null;
    const identifierIds = references.map(() => newId('idn', nowMs, idBytes));
    const sealed = references.map(({ value }, i) => sealWith(key, Buffer.from(value), identifierIds[i]!));
    const digests = references.map((reference) => this.digestOf(scope, reference));
    const wrapped = existing === null ? this.master.wrapSubjectKey(subjectId, key) : null;
    try {
      await this.database.query(RESERVE_FOR_ONE, [
        scope.site,
        scope.env,
        subjectId,
        digests,
        identifierIds,
        references.map(({ kind }) => kind),
        sealed,
        wrapped,
        this.master.id,
      ]);
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return null;
      throw whyNotSealed(error);
    }
    if (existing !== null) this.lookAgainFor([existing]);
    return { subjectId, identifierIds };
  }

  /** Deletes identifiers, which are free from here on; other instances follow within seconds. */
  async release(identifierIds: readonly string[]): Promise<void> {
    const gone = await this.database.query<{ subject_id: string }>(RELEASE, [identifierIds]);
    this.lookAgainFor(gone.map((row) => row.subject_id));
  }

  /** Drops a reference from memory, so that the next look-up asks the database. */
  forget(scope: Scope, reference: Reference): void {
    this.found.delete(this.cacheKey(scope, reference));
  }

  /** Erases subjects: deletes their identifiers and destroys their keys. Other instances follow within seconds. */
  async destroy(subjectIds: readonly string[]): Promise<void> {
    await this.database.query(DESTROY, [subjectIds]);
    for (const subjectId of subjectIds) this.keys.delete(subjectId);
    this.lookAgainFor(subjectIds);
  }

  /**
   * Comes before a merge: from here on every look-up reads the streams of these subjects to learn which subject they
   * belong to. Other instances follow within seconds, as with an erasure.
   */
  async noteMerge(subjectIds: readonly string[]): Promise<void> {
    await this.database.query(NOTE_MERGE, [subjectIds]);
    this.lookAgainFor(subjectIds);
  }

  private lookAgainFor(subjectIds: readonly string[]): void {
    const changed = new Set(subjectIds);
    for (const [key, { subjectId }] of this.found.entries()) if (changed.has(subjectId)) this.found.delete(key);
  }

  private digestOf(scope: Scope, reference: Reference): Buffer {
    const known = this.known(scope, reference);
    return (known.digest ??= this.master.identifierDigest(scope.site, scope.env, referenceText(reference)));
  }

  private cacheKey(scope: Scope, reference: Reference): string {
    return this.known(scope, reference).cacheKey;
  }

  /** The cache key takes 0.35 µs; the stored digest (2.2 µs) is made after a miss only. */
  private known({ site, env }: Scope, reference: Reference): CacheKey {
    const known = this.cacheKeys.get(reference);
    if (known?.site === site && known.env === env) return known;
    const cacheKey = hash('sha256', `${this.salt}${site}\u001f${env}\u001f${referenceText(reference)}`, 'base64url');
    const made = { site, env, cacheKey };
    this.cacheKeys.set(reference, made);
    return made;
  }

  private async findGroup(sought: Sought[]): Promise<(SubjectRow | null)[]> {
    const rows = await this.database.query<SubjectRow & { n: number }>(FIND, [
      ...scopesOf(sought),
      sought.map(({ digest }) => digest),
    ]);
    const found = sought.map((): SubjectRow | null => null);
    for (const row of rows) found[row.n - 1] = row;
    return found;
  }

  /** Whether each one was reserved by us. */
  private async reserveGroup(wanted: Newcomer[]): Promise<boolean[]> {
    const reserving = this.database.query<{ subject_id: string }>(RESERVE, [
      ...scopesOf(wanted),
      wanted.map(({ digest }) => digest),
      wanted.map(({ subjectId }) => subjectId),
      wanted.map(({ identifierId }) => identifierId),
      wanted.map(({ kind }) => kind),
      wanted.map(({ sealed }) => sealed),
      wanted.map(({ wrapped }) => wrapped),
      this.master.id,
    ]);
    const rows = await reserving.catch((error: unknown) => {
      throw whyNotSealed(error);
    });
    const reserved = new Set(rows.map((row) => row.subject_id));
    return wanted.map(({ subjectId }) => reserved.has(subjectId));
  }

  private remember(cacheKey: string, row: SubjectRow): FoundSubject {
    const resolved = {
      subjectId: row.subject_id,
      identifierId: row.identifier_id,
      created: false,
      isPerson: row.person,
      wasMerged: row.merged === true,
    };
    if (row.wrapped) this.keys.set(row.subject_id, this.master.unwrapSubjectKey(row.subject_id, row.wrapped));
    this.found.set(cacheKey, resolved);
    return resolved;
  }

  /** The cipher of one subject's personal fields; after erasure everything it opens is FORGOTTEN. */
  async cipherOf(subjectId: string): Promise<FieldCipher> {
    return fieldCipher(subjectId, await this.keyOf(subjectId));
  }

  /**
   * For each subject a key for one use, derived from the subject's key, which cannot be computed back. A subject whose
   * key was destroyed is left out.
   */
  async keysFor(use: string, subjectIds: readonly string[]): Promise<Map<string, Buffer>> {
    const keys = new Map<string, Buffer>();
    const missing = subjectIds.filter((subjectId) => {
      const cached = this.keys.get(subjectId);
      if (cached) keys.set(subjectId, derivedFor(use, cached));
      return !cached;
    });
    if (missing.length === 0) return keys;
    for (const row of await this.database.query<{ subject_id: string; wrapped: Buffer }>(KEYS, [missing])) {
      const key = this.master.unwrapSubjectKey(row.subject_id, row.wrapped);
      this.keys.set(row.subject_id, key);
      keys.set(row.subject_id, derivedFor(use, key));
    }
    return keys;
  }

  /** The identifiers of a subject in clear, the oldest first; none where it was erased. */
  async identifiersOf(subjectId: string): Promise<Reference[]> {
    const key = await this.keyOf(subjectId);
    if (!key) return [];
    const rows = await this.database.query<{ identifier_id: string; kind: Reference['kind']; sealed: Buffer }>(
      IDENTIFIERS,
      [subjectId],
    );
    return rows.map(({ identifier_id: id, kind, sealed }) => ({ kind, value: openWith(key, sealed, id).toString() }));
  }

  private async keyOf(subjectId: string): Promise<Buffer | null> {
    const cached = this.keys.get(subjectId);
    if (cached) return cached;
    const [row] = await this.database.query<{ wrapped: Buffer }>(KEY, [subjectId]);
    if (!row) return null;
    const key = this.master.unwrapSubjectKey(subjectId, row.wrapped);
    this.keys.set(subjectId, key);
    return key;
  }

  /**
   * Keeps a secret of the service (signing and webhook keys, derived identity keys), sealed, under a name. False where
   * that name is taken: the secret that is there stays.
   */
  async putSecret(name: string, clear: Uint8Array): Promise<boolean> {
    return (
      (await this.database.query(PUT_SECRET, [name, this.master.sealSecret(name, clear), this.master.id])).length > 0
    );
  }

  async secret(name: string): Promise<Buffer | null> {
    const [row] = await this.database.query<{ sealed: Buffer }>(SECRET, [name]);
    return row ? this.master.openSecret(name, row.sealed) : null;
  }
}

const derivedFor = (use: string, key: Buffer): Buffer => createHmac('sha256', key).update(`assent/${use}/v1`).digest();

const scopesOf = (sought: readonly Sought[]): [string[], string[]] => [
  sought.map(({ scope }) => scope.site),
  sought.map(({ scope }) => scope.env),
];

/** A DependencyUnavailable where the database refused a row of the old master key after a rotation; else the error. */
export const whyNotSealed = (error: unknown): unknown =>
  (error as { code?: string }).code === CHECK_VIOLATION
    ? new DependencyUnavailable('vault, whose master key was rotated while this process has the old one,', {
        cause: error,
      })
    : error;

/** AES-256-GCM with the subject's key. Subject and field are associated data: a sealed value opens in no other place. */
export function fieldCipher(subjectId: string, key: Buffer | null): FieldCipher {
  return {
    destroyed: key === null,
    encrypt: (field, clear) => {
      if (!key) throw new Error('the key of this subject was destroyed');
      return sealWith(key, Buffer.from(JSON.stringify(clear)), `${subjectId}|${field}`).toString('base64url');
    },
    decrypt: (field, sealed) =>
      key
        ? (JSON.parse(
            openWith(key, Buffer.from(String(sealed), 'base64url'), `${subjectId}|${field}`).toString(),
          ) as unknown)
        : FORGOTTEN,
  };
}
