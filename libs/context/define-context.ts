import type { Type } from '@nestjs/common';
import type { ICommand } from '@nestjs/cqrs';
import type { EventDefinition } from '../streams/codec.js';
import type { Reference, Scope } from '../kernel/index.js';
import type { MigrationClass } from '../engines/database/migrate.js';
import type { Database, Statement } from '../engines/database/database.js';
import type { MasterKey } from '../vault/master-key.js';
import type { ErrorPage } from '../http/errors/errors.js';
import type { MailKeeper } from '../deliveries/mail/mail-delivery.js';
import type { AnyJournalEntries, Journal } from './journal.js';
import type { LogSink } from './log-sink.js';
import type { OperationDeclaration } from './operations.js';
import type { CountedEvent } from '../engines/telemetry/event-counts.js';
import type { ReadModel } from './read-model.js';
import type { ReceiptSource } from './receipt-source.js';
import type { Role } from './role.js';
import type { PortalDoor } from './portal-door.js';
import type { StreamKind } from './stream-kind.js';
import type { SubjectPart } from './subject-part.js';
import type { StartWorker } from './worker.js';
import type { AnyDisplays, AnyEventWords, SubjectTimeline } from './subject-timeline.js';
import type { SideStreams } from './timeline-item.js';
import type { AnyAnnouncements, WebhookTypes } from './webhook-types.js';

/**
 * All that a context brings to the service. Each context says it in one file, `libs/<name>/context.ts`, which only
 * `libs/composition` imports. What is left out, the context does not bring.
 */
export interface Context {
  /** Name of its folder. */
  name: string;
  /** Every type of event that it has ever stored. A type once stored never leaves this list. */
  events?: readonly EventDefinition[];
  /** Which of them are counted on /metrics as they are recorded. */
  counted?: readonly CountedEvent[];
  /** Its streams, by how they are named. */
  streams?: readonly StreamKind[];
  /** What it knows of a subject, as far as a merge of two subjects is concerned. */
  part?: SubjectPart;
  /** How others show its events in streams of subjects: archives, audit bundles, timelines, receipts. */
  displays?: AnyDisplays;
  /** Its own streams that are about one subject each, as the timeline of that subject joins them. */
  sideStreams?: SideStreams;
  /** How the journal of operators shows its events. */
  journal?: AnyJournalEntries;
  /** What happened, as an archive says it to the person. */
  eventWords?: AnyEventWords;
  /** Tables that follow the log, with their ETags; a function where they follow what all contexts declare. */
  readModels?: readonly ReadModel[] | ((timeline: SubjectTimeline, journal: Journal) => readonly ReadModel[]);
  /** As which webhook events its events are announced to other systems. */
  webhooks?: AnyAnnouncements;
  /** What else follows the log; a function where it follows what all contexts announce. */
  sinks?: readonly LogSink[] | ((webhooks: WebhookTypes) => readonly LogSink[]);
  /** Who may call what, with which body, and how it is documented. */
  operations?: readonly OperationDeclaration[];
  /** The headings that its operations stand under in the documentation (`tag`), each with a sentence about it. */
  headings?: Readonly<Record<string, string>>;
  /** TypeORM's classes of the tables that it lists, loaded when the first list is asked for. */
  entities?: () => Promise<readonly (new () => object)[]>;
  /** Tables that are no read models. */
  migrations?: readonly MigrationClass[];
  /** Nest modules by the role that needs them. A module in several roles is made once in a process that has them all. */
  modules?: Partial<Record<Role, readonly Type[]>>;
  /** What time demands; the dispatcher does it. */
  chores?: readonly Chore[];
  /**
   * Deletes what it keeps of subjects in tables that are no read models. Called when subjects are erased, before their
   * keys are destroyed, and again where an erasure is completed after a crash.
   */
  forget?: (engines: ForgettingEngines, erased: ErasedSubjects) => Promise<void>;
  /** Deletes what its tables need no longer. The dispatcher calls it about once an hour. */
  prune?: (database: Database) => Promise<void>;
  /** Decides whether a mail that waits is still wanted, and keeps what became of it. A provider of the dispatcher's modules. */
  mailKeeper?: Type<MailKeeper>;
  /** Makes the receipts of its records. A provider of its modules for the read-api. */
  receipts?: Type<ReceiptSource>;
  /** What it does for the portal. */
  portal?: PortalDoor<object>;
  /** Runs in the dispatcher. */
  worker?: StartWorker;
  /** How an error looks to a person in a browser. */
  errorPage?: ErrorPage;
}

/** Where a context keeps what it forgets, and what opens it. */
export interface ForgettingEngines {
  database: Database;
  master: MasterKey;
}

/** Subjects that are erased together. */
export interface ErasedSubjects {
  scope: Scope;
  subjectIds: readonly string[];
  /** By what they are known: some of what is kept was addressed to a person before anybody looked up who that is. */
  references: readonly Reference[];
}

/** A subject for which something is due. */
export type DueSubject = Scope & { subjectId: string };

/** Something that is due at a time and not on request. Every chore can be done twice, and by several processes at once. */
export type Chore = SubjectChore | GeneralChore;

/** Is due subject by subject. */
export interface SubjectChore {
  /** Plural, for log lines and the metric of failures: `expiries`. */
  name: string;
  /**
   * Selects `site`, `env` and `subject_id` of those for whom it is due now, the longest waiting first: at most `$1`, and
   * none of the subject ids in `$2`. See subjectsDue.
   */
  due: Statement;
  command: (subject: DueSubject) => ICommand;
}

/** A command that looks itself for what there is to do. */
export interface GeneralChore {
  name: string;
  /** How often it looks, in ms. Default: once a second. */
  everyMs?: number;
  due?: never;
  command: () => ICommand;
}

export const defineContext = (context: Context): Context => Object.freeze(context);
