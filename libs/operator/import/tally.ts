import type { ItemOutcome } from './batch-sender.js';
import type { ImportRecord } from './mapping/import-record.js';

/** Reasons, and purposes with decisions, that are counted by name; all others together. */
const NAMES_MAX = 200;
const OTHERS = 'others';

export interface Reason {
  code: string;
  rows: number;
  /** Of the first such row. */
  line: string;
  message: string;
}

export interface PurposeCount {
  kind: ImportRecord['kind'];
  about: string;
  decision: string;
  /** Records of the file, equal ones once in each batch. */
  records: number;
  /** Recorded now, or found where only looked. */
  recorded: number;
  /** Recorded by an earlier call. */
  before: number;
  rejected: number;
  /** Rejected because the person was erased since. */
  erased: number;
  /** With --check: valid, and not recorded. */
  missing: number;
  /** Recorded, and something newer stands. */
  superseded: number;
}

/** The code of a refusal because the person was erased. */
export const ERASED = 'subject_erased';

const COUNTED = { RECORDED: 'recorded', REPLAYED: 'before', REJECTED: 'rejected', NOT_APPLIED: 'missing' } as const;

export type CountName = 'records' | 'recorded' | 'before' | 'rejected' | 'erased' | 'missing' | 'superseded';

/** Counts of an import. Memory does not grow with the file. */
export class Tally {
  rows = 0;
  /** Rows of which the map makes no record. */
  skippedRows = 0;
  rejectedRows = 0;
  /** Records that are equal to one before. */
  repeated = 0;
  readonly subjects = new DistinctCount();
  private readonly byPurpose = new Map<string, PurposeCount>();
  private readonly byReason = new Map<string, Reason>();

  record({ kind, about, decision }: ImportRecord, { status, appliedToState, error }: ItemOutcome): void {
    const known = this.byPurpose.size < NAMES_MAX || this.byPurpose.has(`${kind} ${about} ${decision}`);
    const [name, said] = known ? [about, decision] : [OTHERS, ''];
    const key = `${kind} ${name} ${said}`;
    const count = this.byPurpose.get(key) ?? {
      ...{ kind, about: name, decision: said },
      ...{ records: 0, recorded: 0, before: 0, rejected: 0, erased: 0, missing: 0, superseded: 0 },
    };
    this.byPurpose.set(key, count);
    count.records++;
    count[error?.code === ERASED ? 'erased' : COUNTED[status]]++;
    if (appliedToState === false) count.superseded++;
  }

  rejectedRow(faults: readonly { code: string; message: string }[], line: string): void {
    this.rejectedRows++;
    for (const { code, message } of new Map(faults.map((each) => [each.code, each])).values()) {
      const name = this.byReason.size < NAMES_MAX || this.byReason.has(code) ? code : OTHERS;
      const reason = this.byReason.get(name) ?? { code: name, rows: 0, line, message };
      reason.rows++;
      this.byReason.set(name, reason);
    }
  }

  get reasons(): Reason[] {
    return [...this.byReason.values()].sort((a, b) => b.rows - a.rows);
  }

  get purposes(): PurposeCount[] {
    return [...this.byPurpose.values()].sort((a, b) =>
      `${a.kind} ${a.about} ${a.decision}` < `${b.kind} ${b.about} ${b.decision}` ? -1 : 1,
    );
  }

  sum(of: CountName): number {
    return this.purposes.reduce((sum, each) => sum + each[of], 0);
  }
}

/** Most digests that are held by themselves. */
const EXACT_MAX = 100_000;

/**
 * How many different digests were added: exactly up to 100,000, beyond that by linear counting (Whang et al. 1990) over 4 MB,
 * within some 0.1 % for millions.
 */
export class DistinctCount {
  private exact: Set<number> | null = new Set();
  private bits = new Uint8Array();
  private taken = 0;

  /** `digest`: a whole number of 40 random bits or more. */
  add(digest: number): void {
    if (this.exact === null) return this.mark(digest);
    this.exact.add(digest);
    if (this.exact.size <= EXACT_MAX) return;
    this.bits = new Uint8Array(1 << 22);
    for (const each of this.exact) this.mark(each);
    this.exact = null;
  }

  get count(): number {
    if (this.exact !== null) return this.exact.size;
    const size = this.bits.length * 8;
    return Math.round(-size * Math.log(1 - Math.min(this.taken, size - 1) / size));
  }

  private mark(digest: number): void {
    const place = digest % (this.bits.length * 8);
    const [byte, bit] = [place >>> 3, 1 << (place & 7)];
    if ((this.bits[byte]! & bit) !== 0) return;
    this.bits[byte]! |= bit;
    this.taken++;
  }
}
