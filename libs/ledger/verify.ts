import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { readLog } from '../log/log-reading.js';
import type { EventLog, RecordedEvent } from '../log/port.js';
import { BEGINNING, subjectOfStream, type Environment, type Position, type Scope } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import type { Vault } from '../vault/vault.js';
import { entryOf, recordText, SALT_KEY, saltOf } from './entry.js';
import type { Digest } from './merkle.js';
import { originOf, readCheckpoint, signatureBy } from './note.js';
import { formerEntry } from './trees.js';
import { VerifiedTree, type BreakKind, type StoredState, type TreeBreak } from './verified-tree.js';

/** The first place of a tree where something does not fit. */
export interface LedgerBreak extends Scope {
  kind: BreakKind | 'KEY_GONE';
  /** Which leaf; null where it is about no single one. */
  leaf: number | null;
  /** Of the event, as decimal text. */
  position: string | null;
  stream: string | null;
  revision: number | null;
  type: string | null;
  /** Which side was changed, as far as signed checkpoints show: the log, or the tables of the ledger. */
  changed: 'LOG' | 'LEDGER' | 'UNKNOWN';
  detail: string;
}

export interface LedgerVerified {
  trees: number;
  leaves: number;
  /** Leaves of erased subjects. Only their presence is verified, not their events: the salts are gone. */
  forgotten: number;
  /** How many signed checkpoints there are. */
  checkpoints: number;
  /** Where the log ended, as decimal text. */
  through: string;
  seconds: number;
  breaks: LedgerBreak[];
}

/** The public keys that verify signatures. */
export interface PublishedKeys {
  published(): Promise<{ kid: string; x: string }[]>;
}

export interface VerifyLedger {
  log: EventLog;
  database: Database;
  vault: Pick<Vault, 'keysFor'>;
  keys: PublishedKeys;
  /** Called as it goes on; `share` from 0 to 1. */
  look?: (share: number, leaves: number) => void;
}

/**
 * Reads the log, recomputes every leaf, every root and every signed checkpoint, and answers what does not fit. Reads only;
 * the service may run meanwhile. No signature covers events after the last signed checkpoint: only the ledger's own tables
 * do.
 */
export async function verifyLedger(given: VerifyLedger): Promise<LedgerVerified> {
  return new Verification(given).run();
}

interface Checkpoint extends Scope {
  size: number;
  root: Buffer;
  kid: string;
  note: string;
}

class Verification {
  private readonly trees = new Map<string, VerifiedTree>();
  /** Subjects without a key, by the first event of theirs. */
  private readonly keyless = new Map<string, RecordedEvent>();
  private readonly erased = new Set<string>();
  private leaves = 0;
  private forgotten = 0;

  constructor(private readonly given: VerifyLedger) {}

  async run(): Promise<LedgerVerified> {
    const since = performance.now();
    const { log, look } = this.given;
    // Opens the ledger before the log: the log may then have more events, never fewer.
    const checkpoints = await this.open();
    const head = await log.head();
    await readLog(log, { after: BEGINNING, through: head, prefixes: ['subject-'] }, async (events, reached) => {
      await this.take(events);
      look?.(Number(reached + 1n) / Number(head + 1n), this.leaves);
    });
    const breaks: LedgerBreak[] = this.gone();
    for (const tree of this.trees.values()) {
      const found = await tree.end();
      if (found) breaks.push(shown(tree, found));
    }
    breaks.push(...(await this.wronglySigned(checkpoints)));
    return {
      trees: this.trees.size,
      leaves: this.leaves,
      forgotten: this.forgotten,
      checkpoints: checkpoints.length,
      through: String(head),
      seconds: Math.round(performance.now() - since) / 1000,
      breaks: breaks.sort((a, b) => placeOf(a) - placeOf(b)),
    };
  }

  /** Reads trees and checkpoints in one snapshot. */
  private async open(): Promise<Checkpoint[]> {
    return this.given.database.transaction(async (tx) => {
      await tx.run('set transaction isolation level repeatable read, read only');
      const trees = await tx.run<Scope & { size: bigint; edge: Buffer }>(
        'select site, env, size, edge from ledger.trees',
      );
      const checkpoints = (
        await tx.run<Scope & { size: bigint; root: Buffer; kid: string; note: string }>(
          'select site, env, size, root, kid, note from ledger.checkpoints order by site, env, size, kid',
        )
      ).map(({ size, ...rest }) => ({ ...rest, size: Number(size) }));
      for (const { site, env, size, edge } of trees) this.add({ site, env }, { size: Number(size), edge }, checkpoints);
      for (const { site, env } of checkpoints) this.treeOf({ site, env }, checkpoints);
      return checkpoints;
    });
  }

  private treeOf(scope: Scope, checkpoints: readonly Checkpoint[] = []): VerifiedTree {
    return this.trees.get(keyOf(scope)) ?? this.add(scope, { size: 0, edge: Buffer.alloc(0) }, checkpoints);
  }

  private add(scope: Scope, stored: StoredState, checkpoints: readonly Checkpoint[]): VerifiedTree {
    const own = checkpoints.filter(({ site, env }) => site === scope.site && env === scope.env);
    const tree = new VerifiedTree(this.given.database, scope, stored, own);
    this.trees.set(keyOf(scope), tree);
    return tree;
  }

  private async take(events: readonly RecordedEvent[]): Promise<void> {
    const subjects = events.map(({ stream }) => subjectOfStream(stream));
    const keys = await this.given.vault.keysFor(SALT_KEY, [
      ...new Set(subjects.flatMap((each) => each?.subjectId ?? [])),
    ]);
    for (const [i, event] of events.entries()) {
      const subject = subjects[i];
      if (!subject) continue;
      this.leaves += 1;
      const tree = this.treeOf(subject);
      const key = keys.get(subject.subjectId);
      const record = recordText(event);
      if (event.type === 'SubjectErased') this.erased.add(subject.subjectId);
      if (key) await tree.take(event, entryOf(record, saltOf(key, event.id)));
      else await this.takeForgotten(tree, event, entryOf(record, null), subject.subjectId);
    }
  }

  /** Takes the ledger's own entry for an event of an erased subject, since it cannot be computed any more. */
  private async takeForgotten(
    tree: VerifiedTree,
    event: RecordedEvent,
    unsalted: Digest,
    subjectId: string,
  ): Promise<void> {
    if (!this.keyless.has(subjectId)) this.keyless.set(subjectId, event);
    const stored = (await tree.storedAt(event.position)) ?? (await this.former(tree.scope, event.position));
    if (stored === null || stored.equals(unsalted)) return tree.take(event, unsalted);
    this.forgotten += 1;
    return tree.take(event, stored);
  }

  private former(scope: Scope, position: Position): Promise<Digest | null> {
    return formerEntry(this.given.database, scope, position);
  }

  /** Subjects whose key is gone although the log holds no erasure of them: their events cannot be verified. */
  private gone(): LedgerBreak[] {
    return [...this.keyless]
      .filter(([subjectId]) => !this.erased.has(subjectId))
      .map(([subjectId, { stream, position, revision, type }]) => ({
        ...scopeOf(stream),
        kind: 'KEY_GONE' as const,
        leaf: null,
        position: String(position),
        stream,
        revision,
        type,
        changed: 'UNKNOWN' as const,
        detail: `the vault has no key for ${subjectId}, and the log does not say that the subject was erased`,
      }));
  }

  /** Checkpoints whose note no key of the key set has signed, or whose note differs from its row. */
  private async wronglySigned(checkpoints: readonly Checkpoint[]): Promise<LedgerBreak[]> {
    const keys = checkpoints.length > 0 ? await this.given.keys.published() : [];
    return checkpoints.flatMap((checkpoint) => {
      const why = faultOf(checkpoint, keys.find(({ kid }) => kid === checkpoint.kid)?.x);
      if (why === null) return [];
      const { site, env, size } = checkpoint;
      const at = { leaf: size - 1, position: null, stream: null, revision: null, type: null };
      return [
        {
          site,
          env,
          ...at,
          kind: 'CHECKPOINT' as const,
          changed: 'LEDGER' as const,
          detail: `the checkpoint of ${size} leaves ${why}`,
        },
      ];
    });
  }
}

function faultOf({ site, env, size, root, note }: Checkpoint, x: string | undefined): string | null {
  const read = readCheckpoint(note);
  if (!read) return 'is no signed note';
  if (read.origin !== originOf({ site, env }) || read.size !== size || !read.root.equals(root))
    return 'says something else than the row that it stands in';
  if (x === undefined) return 'was signed by a key that the key set does not have';
  const signature = signatureBy(read, Buffer.from(x, 'base64url'));
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return signature && verifySignature(null, Buffer.from(read.text), key, signature)
    ? null
    : 'is not signed by the key that it names';
}

function shown({ scope }: VerifiedTree, { event, ...found }: TreeBreak): LedgerBreak {
  return {
    ...scope,
    ...found,
    position: event ? String(event.position) : null,
    stream: event?.stream ?? null,
    revision: event?.revision ?? null,
    type: event?.type ?? null,
  };
}

const keyOf = ({ site, env }: Scope): string => `${site}.${env}`;
function scopeOf(stream: string): Scope {
  const { site, env } = subjectOfStream(stream) as Scope & { env: Environment };
  return { site, env };
}
/** For sorting: earlier leaves first, breaks without a leaf last. */
const placeOf = ({ leaf }: LedgerBreak): number => leaf ?? Number.MAX_SAFE_INTEGER;
