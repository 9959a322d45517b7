import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { SnapshotStore } from '../../streams/snapshot-store.js';
import { Stream } from '../../streams/stream.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { CLOCK, type Clock, type DomainEvent } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { Vault } from '../../vault/vault.js';
import { wholeFold, type SubjectPart, type WholeFold, type WholeState } from '../parts.js';
import { subjectStreamFold } from '../stream-fold.js';
import { SubjectStreamsModule } from '../streams.module.js';
import { SUBJECT_RIGHTS } from '../rights.js';
import { SUBJECT_BATCHES } from '../batches/batch.js';
import { SUBJECT_WRITERS } from '../writer.js';
import {
  ERASED_TOO,
  ERASING,
  ISSUER,
  SUBJECT_PARTS,
  SUBJECT_TAGS,
  WHOLE_FOLD,
  WHOLE_STREAMS,
  WHOLE_WRITER,
  type ErasedToo,
  type SubjectTags,
} from '../tokens.js';
import { AddIdentifierHandler } from './add-identifier.handler.js';
import { Batches } from '../batches/batches.js';
import { SubjectsWriteController } from './controller.js';
import { CreateSubjectHandler } from './create-subject.handler.js';
import { EraseSubjectHandler, type Erasing } from './erase-subject.handler.js';
import { FinishSubjectWorkHandler } from './finish-work.handler.js';
import { MergeSubjectsHandler } from './merge-subjects.handler.js';
import { Merger } from './merger.js';
import { SubjectRegistrar } from './registrar.js';
import { Resolver } from './resolver.js';
import { RevealController } from './reveal.controller.js';
import { Rights } from './rights.js';
import { LiftRestrictionHandler, RestrictSubjectHandler } from './restrict-subject.handler.js';
import { RevertMergeHandler } from './revert-merge.handler.js';
import { MergeCompletion } from './merge-completion.js';
import { Works } from '../../commands/works.js';
import { Writers } from './writer.js';

/** Erasures are few, and each loads a stream or two some times in a row. */
const ERASING_CACHE_BYTES = 1024 * 1024;

/**
 * Writes subjects, and gives other contexts the one way to write on them. Needs SUBJECT_PARTS, SUBJECT_TAGS and
 * ERASED_TOO, which the composition provides because it knows all contexts.
 */
@Global()
@Module({
  imports: [CqrsModule, SubjectStreamsModule],
  controllers: [SubjectsWriteController, RevealController],
  providers: [
    { provide: ISSUER, useExisting: PUBLIC_URL },
    { provide: WHOLE_FOLD, inject: [SUBJECT_PARTS], useFactory: wholeFold },
    {
      provide: WHOLE_STREAMS,
      inject: [EVENT_LOG, Codec, WHOLE_FOLD, SnapshotStore],
      useFactory: (log: EventLog, codec: Codec, fold: WholeFold, snapshots: SnapshotStore) =>
        new Stream(log, codec, subjectStreamFold(fold), { snapshots }),
    },
    {
      provide: ERASING,
      inject: [
        EVENT_LOG,
        Codec,
        WHOLE_FOLD,
        SnapshotStore,
        SUBJECT_PARTS,
        Vault,
        IdempotencyReservations,
        ERASED_TOO,
        SUBJECT_TAGS,
        CLOCK,
      ],
      useFactory: (
        log: EventLog,
        codec: Codec,
        fold: WholeFold,
        snapshots: SnapshotStore,
        parts: readonly SubjectPart[],
        vault: Vault,
        reservations: IdempotencyReservations,
        erasedToo: readonly ErasedToo[],
        tags: SubjectTags,
        clock: Clock,
      ): Erasing => {
        const by = { ...subjectStreamFold(fold), passesUnreadable: true as const };
        const streams = new Stream(log, codec, by, { snapshots, cachedBytes: ERASING_CACHE_BYTES });
        const completion = new MergeCompletion(streams, parts, vault, reservations, erasedToo, tags, clock);
        return { streams, completion, resolver: new Resolver(vault, completion, streams) };
      },
    },
    {
      provide: WHOLE_WRITER,
      inject: [Writers, WHOLE_STREAMS, WHOLE_FOLD, SUBJECT_TAGS],
      useFactory: (
        writers: Writers,
        streams: Stream<WholeState, DomainEvent>,
        { evolve }: WholeFold,
        tags: SubjectTags,
      ) => writers.of({ streams, evolve, tags }),
    },
    { provide: SUBJECT_WRITERS, useExisting: Writers },
    { provide: SUBJECT_BATCHES, useExisting: Batches },
    { provide: SUBJECT_RIGHTS, useExisting: Rights },
    Rights,
    Writers,
    Batches,
    MergeCompletion,
    Resolver,
    SubjectRegistrar,
    Merger,
    Works,
    IdempotencyReservations,
    CreateSubjectHandler,
    AddIdentifierHandler,
    MergeSubjectsHandler,
    RevertMergeHandler,
    EraseSubjectHandler,
    RestrictSubjectHandler,
    LiftRestrictionHandler,
    FinishSubjectWorkHandler,
  ],
  exports: [SUBJECT_WRITERS, SUBJECT_BATCHES, WHOLE_WRITER, SUBJECT_RIGHTS, IdempotencyReservations],
})
export class SubjectsWriteModule {}
