import type { Type } from '@nestjs/common';
import { OperationTable, withTwins } from '../access/index.js';
import { Codec, type EventDefinition } from '../streams/codec.js';
import type { Database } from '../engines/database/database.js';
import type { MigrationClass } from '../engines/database/migrate.js';
import type { ErrorPage } from '../http/errors/errors.js';
import type { MailKeeper } from '../deliveries/mail/mail-delivery.js';
import type { StreamKind } from '../context/stream-kind.js';
import type { SubjectPart } from '../context/subject-part.js';
import { SubjectTimeline } from '../context/subject-timeline.js';
import { Journal } from '../context/journal.js';
import { WebhookTypes } from '../context/webhook-types.js';
import type { LogSink } from '../context/log-sink.js';
import type { Chore, Context, ErasedSubjects, ForgettingEngines } from '../context/define-context.js';
import { faultsOf, type SettledContext } from './compose-faults.js';
import type { ReadModel } from '../context/read-model.js';
import type { PortalDoor } from '../context/portal-door.js';
import type { ReceiptSource } from '../context/receipt-source.js';
import type { Role } from '../context/role.js';
import type { StartWorker } from '../context/worker.js';
import type { CountedEvent } from '../engines/telemetry/event-counts.js';

/** All contexts together: what a service is made of. */
export interface Composition {
  events: readonly EventDefinition[];
  codec: Codec;
  streams: readonly StreamKind[];
  counted: readonly CountedEvent[];
  parts: readonly SubjectPart[];
  /** How the events in streams of subjects are shown. */
  timeline: SubjectTimeline;
  /** How what operators did is shown. */
  journal: Journal;
  /** What is announced to webhooks. */
  webhooks: WebhookTypes;
  readModels: readonly ReadModel[];
  sinks: readonly LogSink[];
  operations: OperationTable;
  /** What stands under each heading of the documentation, in a sentence. */
  headings: Readonly<Record<string, string>>;
  /** TypeORM's classes of all tables that are listed. */
  entities: () => Promise<(new () => object)[]>;
  /** In the order in which they run. */
  migrations: readonly MigrationClass[];
  chores: readonly Chore[];
  mailKeeper: Type<MailKeeper> | null;
  /** Those who make receipts, one for each context that keeps records. */
  receipts: readonly Type<ReceiptSource>[];
  /** What contexts do for the portal, each its part. */
  portalDoors: readonly PortalDoor<object>[];
  workers: readonly StartWorker[];
  /** Of the first context that knows the person who reads it; null where none does. */
  errorPage: ErrorPage;
  modulesOf: (roles: readonly Role[]) => Type[];
  /** Deletes what any context keeps of these subjects outside log, vault and read models. */
  forget: (engines: ForgettingEngines, erased: ErasedSubjects) => Promise<void>;
  prune: (database: Database) => Promise<void>;
}

/** Puts contexts together. Throws one Error that names everything that is there twice or was forgotten. */
export function compose(declared: readonly Context[]): Composition {
  const timeline = new SubjectTimeline(declared);
  const journal = new Journal(declared);
  const webhooks = new WebhookTypes(declared);
  const contexts = declared.map(({ readModels, sinks, ...context }): SettledContext => ({
    ...context,
    readModels: typeof readModels === 'function' ? readModels(timeline, journal) : (readModels ?? []),
    sinks: typeof sinks === 'function' ? sinks(webhooks) : (sinks ?? []),
  }));
  const faults = faultsOf(contexts);
  if (faults.length > 0)
    throw new Error(`The contexts do not fit together:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  const events = contexts.flatMap((context) => context.events ?? []);
  return {
    events,
    codec: new Codec(events),
    streams: contexts.flatMap(({ streams }) => streams ?? []),
    counted: contexts.flatMap(({ counted }) => counted ?? []),
    parts: contexts.flatMap(({ part }) => part ?? []),
    timeline,
    journal,
    webhooks,
    readModels: contexts.flatMap(({ readModels }) => readModels),
    sinks: contexts.flatMap(({ sinks }) => sinks),
    operations: new OperationTable(withTwins(contexts.flatMap(({ operations }) => operations ?? []))),
    headings: Object.assign({}, ...contexts.map(({ headings }) => headings)) as Record<string, string>,
    entities: async () => (await Promise.all(contexts.map(async ({ entities }) => (await entities?.()) ?? []))).flat(),
    migrations: contexts
      .flatMap(({ migrations }) => migrations ?? [])
      .sort((a, b) => migrationTime(a).localeCompare(migrationTime(b))),
    chores: contexts.flatMap(({ chores }) => chores ?? []),
    mailKeeper: contexts.find(({ mailKeeper }) => mailKeeper)?.mailKeeper ?? null,
    receipts: contexts.flatMap(({ receipts }) => receipts ?? []),
    portalDoors: contexts.flatMap(({ portal }) => portal ?? []),
    workers: contexts.flatMap(({ worker }) => worker ?? []),
    errorPage: (request, code, body) => {
      for (const { errorPage } of contexts) {
        const page = errorPage?.(request, code, body);
        if (page) return page;
      }
      return null;
    },
    modulesOf: (roles) => [
      ...new Set(contexts.flatMap(({ modules = {} }) => roles.flatMap((role) => modules[role] ?? []))),
    ],
    forget: async (engines, erased) => {
      for (const { forget } of contexts) await forget?.(engines, erased);
    },
    prune: async (database) => {
      for (const { prune } of contexts) await prune?.(database);
    },
  };
}

/** The 13 digits at the end of a migration's name. */
const migrationTime = ({ name }: MigrationClass): string => name.slice(-13);
