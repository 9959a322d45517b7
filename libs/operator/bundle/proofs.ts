import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '../../log/port.js';
import { Refused, refusal, subjectOfStream, type Position, type Scope } from '../../kernel/index.js';
import type { Checkpoint, Ledger, RecordProofs } from '../../ledger/index.js';
import type { ExportedEvent } from '../export/exported-event.js';
import type { Member } from './members.js';

/** The ledger and its proofs. */
export interface ProvenLedger {
  ledger: Ledger;
  proofs: RecordProofs;
}

/** How long to wait for a ledger that is behind the log, in ms. */
const BEHIND_MS = 30_000;
const LOOK_EVERY_MS = 50;

/**
 * The checkpoint of all proofs of a bundle. It is of the tree that ends with the last event of the bundle, so the same
 * question gets the same checkpoint later. Refuses where the ledger does not reach that event in time.
 */
export async function checkpointAt(
  { ledger }: ProvenLedger,
  scope: Scope,
  { position, recordedAt }: Pick<ExportedEvent, 'position' | 'recordedAt'>,
): Promise<Checkpoint> {
  const index = await leafOf(ledger, scope, BigInt(position));
  return ledger.checkpointOf(scope, index + 1, recordedAt);
}

async function leafOf(ledger: Ledger, scope: Scope, position: Position): Promise<number> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const index = await ledger.indexOf(scope, position);
    if (index !== null) return index;
    if (waited >= BEHIND_MS)
      throw new Refused(
        refusal(
          'ledger_behind',
          `The ledger has not come to position ${position} of the log.`,
          'Make sure that a projector of this release runs, and look at its lag: assent status.',
        ),
      );
    await pause(LOOK_EVERY_MS);
  }
}

/** Adds the proof that an event stands in the ledger. Its salt shows that the leaf is of this very record. */
export async function writeProof(
  { proofs }: ProvenLedger,
  checkpoint: Checkpoint,
  event: RecordedEvent,
  member: Member,
): Promise<void> {
  const proof = await proofs.ofEvent(event, subjectOfStream(event.stream)!, checkpoint);
  const line = {
    position: String(event.position),
    index: proof.index,
    hashes: proof.hashes.map((each) => each.toString('base64')),
    entry: proof.entry.toString('base64'),
    // Null for a person who was erased: the salts are gone with the key.
    salt: proof.opening?.salt.toString('base64') ?? null,
    record: proof.opening?.record ?? null,
  };
  await member.write(`${JSON.stringify(line)}\n`);
}
