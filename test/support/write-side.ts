import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Provider, Type } from '@nestjs/common';
import { DailyRecordQuota, RECORD_QUOTA } from '../../libs/access/limits/record-quota.js';
import { CATALOGUE, type CatalogueState } from '../../libs/catalogue/index.js';
import { PresentationsModule } from '../../libs/catalogue/banner/presentations.module.js';
import { catalogueFold } from '../../libs/catalogue/state.js';
import type { PurposePublished } from '../../libs/catalogue/events.js';
import { consentPart } from '../../libs/consent/part.js';
import { ConsentStreamsModule } from '../../libs/consent/streams.module.js';
import { ConsentWriteModule } from '../../libs/consent/write/module.js';
import { RecordBatchCommand, RecordBatchHandler } from '../../libs/consent/write/record-batch.handler.js';
import type { ConsentRecordView } from '../../libs/consent/view.js';
import type { BatchAnswer } from '../../libs/subjects/services.js';
import { RecordConsentCommand, RecordConsentHandler } from '../../libs/consent/write/record-consent.handler.js';
import { Codec } from '../../libs/streams/codec.js';
import { type EventLog } from '../../libs/log/port.js';
import { SnapshotStore } from '../../libs/streams/snapshot-store.js';
import { CLOCK, instantOf, Refused, subjectOfStream, type Clock } from '../../libs/kernel/index.js';
import { EVENT_LOG } from '../../libs/log/tokens.js';
import { InProcessTagCache, TAG_CACHE, TagsOfView } from '../../libs/engines/cache/tag-cache.js';
import { PUBLIC_URL } from '../../libs/engines/config/public-url.js';
import { Database } from '../../libs/engines/database/database.js';
import type { Caller } from '../../libs/http/caller.js';
import { MasterKey } from '../../libs/vault/master-key.js';
import { Vault } from '../../libs/vault/vault.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import type { CarryOver, ConflictPolicy, SubjectErasedData } from '../../libs/subjects/events.js';
import { RECEIPT_TOKENS, STATEMENT_SIGNER } from '../../libs/receipts/index.js';
import { wholeLog } from './whole-log.js';
import { DerivedReceiptTokens } from '../../libs/receipts/receipt-tokens.js';
import { SigningKeys } from '../../libs/receipts/signing-keys.js';
import { ERASED_TOO, SUBJECT_PARTS, SUBJECT_TAGS } from '../../libs/subjects/tokens.js';
import { SubjectStreamsModule } from '../../libs/subjects/streams.module.js';
import { AddIdentifier, AddIdentifierHandler } from '../../libs/subjects/write/add-identifier.handler.js';
import { EraseSubject, EraseSubjectHandler } from '../../libs/subjects/write/erase-subject.handler.js';
import { FinishSubjectWork, FinishSubjectWorkHandler } from '../../libs/subjects/write/finish-work.handler.js';
import { dueWork } from '../../libs/commands/works.js';
import { subjectsDue } from '../../libs/context/subjects-due.js';
import { MergeSubjects, MergeSubjectsHandler } from '../../libs/subjects/write/merge-subjects.handler.js';
import type { MergeAnswer } from '../../libs/subjects/write/merger.js';
import { SubjectsWriteModule } from '../../libs/subjects/write/module.js';
import {
  LiftRestriction,
  LiftRestrictionHandler,
  RestrictSubject,
  RestrictSubjectHandler,
} from '../../libs/subjects/write/restrict-subject.handler.js';
import { RevertMerge, RevertMergeHandler, type RevertAnswer } from '../../libs/subjects/write/revert-merge.handler.js';
import { MergeCompletion } from '../../libs/subjects/write/merge-completion.js';

export const SCOPE = { site: 'laws', env: 'test' } as const;
const LONG_AGO = '2020-01-01T00:00:00.000Z';

export const PURPOSES = ['a', 'b'] as const;
const catalogue: CatalogueState = PURPOSES.reduce((state, key) => {
  const published = JSON.parse(
    readFileSync(new URL('../history/PurposePublished.v1.json', import.meta.url), 'utf8'),
  ) as PurposePublished;
  return catalogueFold.evolve(state, {
    ...published,
    data: { ...published.data, effectiveFrom: LONG_AGO, definition: { ...published.data.definition, key } },
  });
}, catalogueFold.initial());

/**
 * A clock that begins now, as that of the database does, and that every look at it moves on: ids come in the order in
 * which they were made.
 */
export function ticking(): Clock {
  let now = Date.now();
  return () => instantOf(now++);
}

/** What was answered, or the code of the refusal. Everything else that is thrown passes. */
export type Outcome<T> = { answer: T } | { refused: string };
export const isDone = <T>(outcome: Outcome<T>): outcome is { answer: T } => 'answer' in outcome;

export interface Written {
  recordId: string;
  subjectId: string;
}

/** Nest's modules without Nest: what a process of the write side is made of, over any log and any database. */
function processOf(infrastructure: readonly Provider[]): <T>(token: Type<T>) => T {
  const providersOf = (module: Type): Provider[] => (Reflect.getMetadata('providers', module) ?? []) as Provider[];
  const providers = new Map<unknown, Exclude<Provider, Type>>();
  for (const provider of [
    ...infrastructure,
    ...[
      SubjectsWriteModule,
      SubjectStreamsModule,
      ConsentStreamsModule,
      ConsentWriteModule,
      PresentationsModule,
    ].flatMap(providersOf),
    { provide: STATEMENT_SIGNER, useExisting: SigningKeys },
  ]) {
    if (typeof provider !== 'function') providers.set(provider.provide, provider);
  }
  const made = new Map<unknown, unknown>();
  const make = (token: unknown): unknown => {
    const provider = providers.get(token);
    if (provider && 'useValue' in provider) return provider.useValue as unknown;
    if (provider && 'useExisting' in provider) return get(provider.useExisting);
    if (provider && 'useClass' in provider) return get(provider.useClass);
    if (provider && 'useFactory' in provider)
      return (provider.useFactory as (...from: unknown[]) => unknown)(...(provider.inject ?? []).map(get));
    if (typeof token !== 'function') throw new Error(`nobody provides ${String(token)}`);
    const byType = (Reflect.getMetadata('design:paramtypes', token) ?? []) as unknown[];
    const named = new Map(
      ((Reflect.getMetadata('self:paramtypes', token) ?? []) as { index: number; param: unknown }[]).map(
        ({ index, param }) => [index, param],
      ),
    );
    return new (token as new (...from: unknown[]) => unknown)(...byType.map((type, i) => get(named.get(i) ?? type)));
  };
  const get = (token: unknown): unknown => {
    if (!made.has(token)) made.set(token, make(token));
    return made.get(token);
  };
  return get as <T>(token: Type<T>) => T;
}

export interface WriteSideOptions {
  log: EventLog;
  database: Database;
  master?: MasterKey;
  clock?: Clock;
  /** Events between two snapshots of a stream; default few, so that every law also holds of what is loaded from them. */
  snapshotEvery?: number;
}

const MASTER = new MasterKey(Buffer.alloc(32, 5));
/** Subjects that a process remembers: laws make thousands of processes, and few subjects for each. */
const REMEMBERED = 100;

/** One process that writes subjects and consent, with caches of its own. */
export class WriteSide {
  readonly get: <T>(token: Type<T>) => T;
  readonly vault: Vault;
  readonly snapshots: SnapshotStore;

  constructor({ log, database, master = MASTER, clock = ticking(), snapshotEvery = 3 }: WriteSideOptions) {
    this.vault = new Vault(database, master, REMEMBERED);
    this.snapshots = new SnapshotStore(database, database, snapshotEvery);
    const values: [unknown, unknown][] = [
      [EVENT_LOG, log],
      [Database, database],
      [MasterKey, master],
      [Vault, this.vault],
      [Codec, COMPOSITION.codec],
      [SnapshotStore, this.snapshots],
      [TAG_CACHE, new TagsOfView(new InProcessTagCache(REMEMBERED), '', 1)],
      [RECORD_QUOTA, new DailyRecordQuota()],
      [CLOCK, clock],
      [PUBLIC_URL, 'https://consent.example'],
      [RECEIPT_TOKENS, new DerivedReceiptTokens(master)],
      [SUBJECT_PARTS, [consentPart]],
      [ERASED_TOO, []],
      [SUBJECT_TAGS, { drop: () => undefined }],
      [CATALOGUE, { of: () => catalogue, tag: () => '', reached: () => Promise.resolve(true) }],
    ];
    this.get = processOf(values.map(([provide, useValue]) => ({ provide, useValue }) as Provider));
  }

  record(
    subject: string,
    purpose: string,
    decision: 'GRANTED' | 'DENIED' | 'WITHDRAWN',
    key: string | null = null,
    /** What else the body says. */
    more: Omit<Partial<RecordConsentCommand['input']>, 'subject' | 'purpose' | 'decision'> = {},
  ): Promise<Outcome<Written>> {
    return outcome(async () => {
      const { view } = await this.get(RecordConsentHandler).execute(
        new RecordConsentCommand(caller(), { ...more, subject, purpose, decision }, key, false),
      );
      return { recordId: view.id, subjectId: view.subject.id };
    });
  }

  /** `[subject, purpose, decision]` of each record. */
  batch(
    records: readonly (readonly [subject: string, purpose: string, decision: 'GRANTED' | 'DENIED'])[],
    key: string | null = null,
  ): Promise<Outcome<BatchAnswer<ConsentRecordView>>> {
    return outcome(async () => {
      const input = { records: records.map(([subject, purpose, decision]) => ({ subject, purpose, decision })) };
      return (await this.get(RecordBatchHandler).execute(new RecordBatchCommand(caller(), input, key, false))).answer;
    });
  }

  merge(
    sources: string[],
    target: string,
    conflictPolicy: ConflictPolicy = 'MOST_RESTRICTIVE',
    key: string | null = null,
  ): Promise<Outcome<MergeAnswer>> {
    return outcome(
      async () =>
        (
          await this.get(MergeSubjectsHandler).execute(
            new MergeSubjects(caller(), { sources, target, conflictPolicy }, key),
          )
        ).answer,
    );
  }

  link(
    ref: string,
    value: string,
    carryOver: CarryOver = 'IF_DENIED',
    key: string | null = null,
  ): Promise<Outcome<string>> {
    return outcome(
      async () =>
        (
          await this.get(AddIdentifierHandler).execute(
            new AddIdentifier(caller(), ref, { kind: 'visitor_id', value, carryOver }, key),
          )
        ).answer.subject.id,
    );
  }

  /** A visitor turns out to be the person of a `user_id`. */
  logIn(visitor: string, value: string, key: string | null = null): Promise<Outcome<string>> {
    return outcome(
      async () =>
        (
          await this.get(AddIdentifierHandler).execute(
            new AddIdentifier(caller(), visitor, { kind: 'user_id', value }, key),
          )
        ).answer.subject.id,
    );
  }

  revert(mergeId: string, key: string | null = null): Promise<Outcome<RevertAnswer>> {
    return outcome(
      async () => (await this.get(RevertMergeHandler).execute(new RevertMerge(caller(), mergeId, {}, key))).answer,
    );
  }

  erase(ref: string, key: string | null = null): Promise<Outcome<SubjectErasedData>> {
    return outcome(
      async () =>
        (await this.get(EraseSubjectHandler).execute(new EraseSubject(caller(), ref, { reason: 'OTHER' }, key))).answer,
    );
  }

  restrict(ref: string, key: string | null = null): Promise<Outcome<string>> {
    return outcome(
      async () =>
        (await this.get(RestrictSubjectHandler).execute(new RestrictSubject(caller(), ref, {}, key))).answer.id,
    );
  }

  lift(ref: string, key: string | null = null): Promise<Outcome<string>> {
    return outcome(
      async () =>
        (await this.get(LiftRestrictionHandler).execute(new LiftRestriction(caller(), ref, {}, key))).answer.id,
    );
  }

  settle(subjectId: string): Promise<{ subjectId: string; erased: boolean }> {
    return this.get(MergeCompletion).settle(SCOPE, subjectId);
  }

  async finishWork(): Promise<void> {
    for (const { subjectId, ...scope } of await subjectsDue(this.get(Database), dueWork, 100, []))
      await this.get(FinishSubjectWorkHandler).execute(new FinishSubjectWork(scope, subjectId));
  }
}

/** The subjects of which a log holds anything. */
export async function subjectsIn(log: EventLog): Promise<string[]> {
  const events = await wholeLog(log, ['subject-']);
  return [...new Set(events.map(({ stream }) => subjectOfStream(stream)!.subjectId))];
}

let requests = 0;
const caller = (): Caller => ({
  kind: 'sk',
  operation: 'laws',
  keyId: 'key_laws',
  ...SCOPE,
  scopes: [],
  origin: null,
  ip: null,
  userAgent: null,
  identity: null,
  identifierKinds: [],
  requestId: `req_${++requests}_${randomBytes(4).toString('hex')}`,
});

async function outcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusal.code };
    throw error;
  }
}
