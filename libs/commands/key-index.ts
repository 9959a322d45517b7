import type { Instant } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import { COMPARE, ERASED_LACKING, PUT, PUT_ERASED } from './key-index.statements.js';

/** What the log holds of one use of an idempotency key. Key and fingerprint are digests in hex. */
export interface KeyInLog {
  key: string;
  fingerprint: string;
  /** The subjects that the reservation named, each at its place; '' at a place of which the log says nothing. */
  subjects: readonly string[];
  /** When the first and the last event under the key were recorded. */
  from: Instant;
  through: Instant;
}

export interface KeyDifference {
  key: string;
  /** MISSING: the index has no row. OTHER: the row belongs to another request, or lacks a subject that the log names. */
  fault: 'MISSING' | 'OTHER';
}

/**
 * `write.idempotency` as an index of the keys in the log: written from the log, or compared with it. Both can be done
 * while the service runs: a row that a request made is left as it is where it stands for the same request.
 */
export class KeyIndex {
  constructor(private readonly database: Database) {}

  /** Writes what is missing or other, in log order. Answers how many rows that were. */
  async put(keys: readonly KeyInLog[]): Promise<number> {
    const joined = joinUses(keys);
    if (joined.length === 0) return 0;
    return (await this.database.query(PUT, columnsOf(joined))).length;
  }

  /** The keys that the index does not hold as the log does. */
  async differences(keys: readonly KeyInLog[]): Promise<KeyDifference[]> {
    const joined = joinUses(keys);
    if (joined.length === 0) return [];
    return this.database.query<KeyDifference>(COMPARE, columnsOf(joined));
  }

  /** Notes that these subjects were erased. Answers how many of them were not noted yet. */
  async putErased(subjectIds: readonly string[]): Promise<number> {
    if (subjectIds.length === 0) return 0;
    return (await this.database.query(PUT_ERASED, [subjectIds])).length;
  }

  /** Those of them that are not noted as erased. */
  async erasedLacking(subjectIds: readonly string[]): Promise<string[]> {
    if (subjectIds.length === 0) return [];
    return (await this.database.query<{ id: string }>(ERASED_LACKING, [subjectIds])).map(({ id }) => id);
  }
}

/**
 * One entry for each key. Where the log holds two requests under one key, which takes an index that was lost in between,
 * the later one counts.
 */
export function joinUses(keys: readonly KeyInLog[]): KeyInLog[] {
  const uses = new Map<string, KeyInLog>();
  for (const next of keys) {
    const before = uses.get(next.key);
    uses.set(next.key, before?.fingerprint === next.fingerprint ? joined(before, next) : next);
  }
  return [...uses.values()];
}

const joined = (before: KeyInLog, next: KeyInLog): KeyInLog => ({
  ...before,
  subjects: Array.from(
    { length: Math.max(before.subjects.length, next.subjects.length) },
    (_, place) => before.subjects[place] || next.subjects[place] || '',
  ),
  through: next.through > before.through ? next.through : before.through,
});

const columnsOf = (keys: readonly KeyInLog[]): string[][] => [
  keys.map(({ key }) => key),
  keys.map(({ fingerprint }) => fingerprint),
  keys.map(({ subjects }) => subjects.join(',')),
  keys.map(({ from }) => from),
  keys.map(({ through }) => through),
];
