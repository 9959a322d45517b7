import type { LedgerVerified } from '../ledger/index.js';
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

/** Any read model, for code that treats all of them alike: what it folds and how its rows look is its own affair. */
export type AnyProjection = Projection<unknown, DomainEvent>;

/** Whatever follows the log with a checkpoint of its own: a read model, or the ledger. */
export type Followed = Pick<AnyProjection, 'name' | 'version' | 'streams'>;

/** What follows the log beside the read models. `acceptLog`: another log is the truth from now on, up to the position. */
export interface FollowedSink extends Followed {
  acceptLog: (engines: { database: Database; log: EventLog; codec: Codec }, through: Position) => Promise<void>;
}

/** Something that is due for subjects: those for whom it is due now, the longest waiting first. */
export interface AnyChore {
  name: string;
  due: (database: Database, limit: number, except: readonly string[]) => Promise<{ subjectId: string }[]>;
}

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
  /** What else follows the log. */
  sinks: readonly FollowedSink[];
  /** How the streams of every context are named. */
  streams: readonly StreamKind[];
  /** Reads and writes every type of event. */
  codec: Codec;
  /** How the events in streams of subjects are shown. */
  timeline: SubjectTimeline;
  /** What the dispatcher does for subjects when it is due. */
  chores: readonly AnyChore[];
  /** Holds the log against the ledger. `look`: how far it is, 0 to 1, and how many leaves that were. */
  verifyLedger: (
    engines: { log: EventLog; database: Database; vault: Vault },
    look: (share: number, leaves: number) => void,
  ) => Promise<LedgerVerified>;
  /** Makes the ledger's writer build it anew. */
  rebuildLedger: (engines: { database: Database }) => Promise<void>;
  /** The ledger of this database, and who proves what stands in it. */
  ledgerOf: (engines: { log: EventLog; database: Database; vault: Vault }) => ProvenLedger;
  /** Opens the log that the settings name; where none is named, it is kept in this database. */
  openLog: (database: Database, settings: LogSettings) => Promise<EventLog>;
  /** Signs with the keys that this vault holds. */
  signerOf: (engines: { vault: Vault; log: EventLog }) => BundleSigner;
  /** Makes the demo site, or makes sure of it. `folder`: where its keys are kept; null: nowhere. */
  seedDemo: (env: Settings, say: (line: string) => void) => Promise<{ demo: DemoSettings; folder: string | null }>;
}
