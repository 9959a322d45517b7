import type { LedgerVerified } from '../ledger/index.js';
import type { SubjectChore } from '../context/define-context.js';
import type { StreamKind } from '../context/stream-kind.js';
import type { SubjectTimeline } from '../context/subject-timeline.js';
import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import type { Projection } from '../following/projections/projection.js';
import type { DomainEvent, Position } from '../kernel/index.js';
import type { LogSettings } from '../engines/config/config.js';
import type { Database } from '../engines/database/database.js';
import type { MigrationClass } from '../engines/database/migrate.js';
import type { Vault } from '../vault/vault.js';
import type { BundleSigner } from '../receipts/index.js';
import type { ProvenLedger } from './bundle/proofs.js';
import type { DemoSettings } from './demo-settings.js';

/** A read model of any state and rows, for code that treats all of them alike. */
export type AnyProjection = Projection<unknown, DomainEvent>;

/** A follower of the log with a checkpoint of its own: a read model, or the ledger. */
export type Followed = Pick<AnyProjection, 'name' | 'version' | 'streams'>;

/** A follower beside the read models. `acceptLog` is called when an operator has accepted a log, up to the position. */
export interface FollowedSink extends Followed {
  acceptLog: (engines: { database: Database; log: EventLog; codec: Codec }, through: Position) => Promise<void>;
}

/** Work that is due for subjects. `due` selects those for whom it is due now, the longest waiting first (see SubjectChore). */
export type AnyChore = Pick<SubjectChore, 'name' | 'due'>;

export type Settings = Readonly<Record<string, string | undefined>>;

/**
 * The parts of this release that operators work on. The composition passes it in, because the operator's room imports no
 * context.
 */
export interface Release {
  /** The whole schema but the read tables, which their projections make themselves. */
  migrations: readonly MigrationClass[];
  /** Every read model. */
  projections: readonly AnyProjection[];
  /** Other followers of the log. */
  sinks: readonly FollowedSink[];
  /** How the streams of every context are named. */
  streams: readonly StreamKind[];
  /** Reads and writes every type of event. */
  codec: Codec;
  /** How the events in streams of subjects are shown. */
  timeline: SubjectTimeline;
  /** Work that the dispatcher does for subjects when it is due. */
  chores: readonly AnyChore[];
  /** Compares the log with the ledger. Calls `look` with the share, 0 to 1, and the number of leaves. */
  verifyLedger: (
    engines: { log: EventLog; database: Database; vault: Vault },
    look: (share: number, leaves: number) => void,
  ) => Promise<LedgerVerified>;
  /** Makes the ledger's writer build it anew. */
  rebuildLedger: (engines: { database: Database }) => Promise<void>;
  /** The ledger of this database, with its proofs. */
  ledgerOf: (engines: { log: EventLog; database: Database; vault: Vault }) => ProvenLedger;
  /** Opens the log that the settings name; by default the one in this database. */
  openLog: (database: Database, settings: LogSettings) => Promise<EventLog>;
  /** Signs with the keys that this vault holds. */
  signerOf: (engines: { vault: Vault; log: EventLog }) => BundleSigner;
  /** Makes the demo site where it is missing. `folder`: where its keys are kept; null: nowhere. */
  seedDemo: (env: Settings, say: (line: string) => void) => Promise<{ demo: DemoSettings; folder: string | null }>;
}
