import type { EventPlace } from '../following/projections/event-index.js';
import type { EventLog, RecordedEvent } from '../log/port.js';
import { subjectStream, type Position, type Scope } from '../kernel/index.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import type { Vault } from '../vault/vault.js';
import { recordText, SALT_KEY, saltOf } from './entry.js';
import type { Checkpoint, Ledger, LeafProof } from './ledger.js';
import { leafHash, type Digest } from './merkle.js';

/** A proof that a record stands in the ledger, which can be verified offline. */
export interface RecordProof extends LeafProof {
  checkpoint: Checkpoint;
  leafHash: Digest;
  /** The entry in the tree: SHA-256 over salt and record. */
  entry: Digest;
  /** Null once the subject was erased: without the salt it cannot be shown what record the entry is of. */
  opening: { salt: Buffer; record: string } | null;
}

/** How far the ledger has come. */
export interface LedgerProgress {
  reached(position: Position, timeoutMs: number): Promise<boolean>;
}

/** How long a proof waits for a ledger that is behind the log, in ms. */
const BEHIND_MS = 1_500;

/** Proofs of records, each found by where its event stands in the log. */
export class RecordProofs {
  constructor(
    private readonly ledger: Ledger,
    private readonly log: Pick<EventLog, 'read'>,
    private readonly vault: Pick<Vault, 'keysFor'>,
    private readonly progress: LedgerProgress,
  ) {}

  /**
   * `within`: the tree to prove it in, so that several proofs share one checkpoint; default: as it stands now. Rejects
   * with DependencyUnavailable where the ledger does not have the event yet.
   */
  async of(place: EventPlace, within?: Checkpoint): Promise<RecordProof> {
    const stream = subjectStream(place, place.subjectId);
    const [event] = await this.log.read(stream, { direction: 'forwards', from: place.revision, limit: 1 });
    if (!event) throw new DependencyUnavailable('event log');
    return this.ofEvent(event, place, within);
  }

  /** The same, of an event that was read already. */
  async ofEvent(event: RecordedEvent, place: Scope & { subjectId: string }, within?: Checkpoint): Promise<RecordProof> {
    if (!(await this.progress.reached(event.position, BEHIND_MS))) throw new DependencyUnavailable('ledger');
    const checkpoint = within ?? (await this.ledger.checkpoint(place));
    const proof = await this.ledger.prove(place, event.position, checkpoint.size);
    if (!proof) throw new DependencyUnavailable('ledger');
    const [entry, keys] = await Promise.all([
      this.ledger.entry(place, proof.index),
      this.vault.keysFor(SALT_KEY, [place.subjectId]),
    ]);
    const key = keys.get(place.subjectId);
    const opening = key ? { salt: saltOf(key, event.id), record: recordText(event) } : null;
    return { ...proof, checkpoint, leafHash: leafHash(entry), entry, opening };
  }
}
