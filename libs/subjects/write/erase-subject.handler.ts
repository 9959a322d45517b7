import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Happened, Intent, Stream } from '../../streams/stream.js';
import {
  CLOCK,
  epochMs,
  isRefusal,
  newId,
  subjectStream,
  uuidV5,
  type Clock,
  type DomainEvent,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { once, type Done, type Repeatable } from '../../commands/once.js';
import { idBytes } from '../../engines/id-bytes.js';
import { Vault } from '../../vault/vault.js';
import { eraseSubject } from '../decide.js';
import type { EraseSubjectDto } from '../dto.js';
import type { ErasureReason, SubjectErased, SubjectErasedData } from '../events.js';
import type { WholeState } from '../parts.js';
import { familyOf, standingOf } from '../standing.js';
import { ERASING, ISSUER, SUBJECT_TAGS, type SubjectTags } from '../tokens.js';
import { causeOf, type Cause } from '../writer.js';
import type { MergeCompletion } from './merge-completion.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import { ofRequest } from './of-request.js';
import type { Resolver } from './resolver.js';
import { MOVED, untilSettled } from './until-settled.js';
import { Works, type Work } from '../../commands/works.js';

/** Destroy everything personal about a subject, and about all that were merged into it. */
export class EraseSubject extends Command<Repeatable<SubjectErasedData>> {
  constructor(
    readonly caller: Caller,
    readonly ref: string,
    readonly input: EraseSubjectDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

/**
 * How an erasure reads subjects. Destroying a key needs no understanding of what was recorded under it: an event that
 * cannot be read is passed over, so every subject can be erased, whatever stands in the log.
 */
export interface Erasing {
  streams: Stream<WholeState, DomainEvent>;
  resolver: Resolver;
  completion: MergeCompletion;
}

@CommandHandler(EraseSubject)
export class EraseSubjectHandler implements ICommandHandler<EraseSubject> {
  private readonly streams: Erasing['streams'];
  private readonly resolver: Resolver;
  private readonly completion: MergeCompletion;

  constructor(
    @Inject(ERASING) { streams, resolver, completion }: Erasing,
    private readonly works: Works,
    private readonly vault: Vault,
    private readonly reservations: IdempotencyReservations,
    @Inject(SUBJECT_TAGS) private readonly tags: SubjectTags,
    @Inject(ISSUER) private readonly issuer: string,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.streams = streams;
    this.resolver = resolver;
    this.completion = completion;
  }

  execute({ caller, ref, input, idempotencyKey }: EraseSubject): Promise<Repeatable<SubjectErasedData>> {
    const { reason = 'DATA_SUBJECT_REQUEST' } = input;
    const fingerprint = this.reservations.fingerprintOf('POST', `/v1/subjects/${ref}/erase`, input);
    const causeUnder = (digest: string | null): Cause => ({
      ...causeOf(caller, this.clock()),
      ...(digest !== null && { request: { digest, fingerprint }, reservedFor: [] }),
    });
    return once(this.reservations, {
      scope: keyScopeOf(caller, []),
      // The receipt of an erasure is answered again after its subjects are gone, so the key names none.
      subjects: [],
      idempotencyKey,
      fingerprint,
      // Answered again only once everything is destroyed: the process that began may have died on the way.
      replay: async (digest) => {
        const work = await this.works.findByKey(digest);
        const done = work && (await this.carryOut(work, reason, causeUnder(digest)));
        return isRefusal(done) ? null : done;
      },
      carryOut: (digest) => this.begin(caller, ref, reason, causeUnder(digest)),
    });
  }

  private async begin(
    caller: Caller,
    ref: string,
    reason: ErasureReason,
    cause: Cause,
  ): Promise<Done<SubjectErasedData> | Refusal> {
    const subjectId = await this.resolver.resolve(caller, ref, 'ref');
    // A caller with the id of a subject that is gone gets its receipt again.
    if (isRefusal(subjectId))
      return subjectId.code === 'subject_erased'
        ? ((await this.erased(caller, ref.replace(/^subject:/, ''))) ?? subjectId)
        : subjectId;
    const at = this.clock();
    const { state } = await this.completion.load(caller, subjectId);
    const refused = eraseSubject(
      { receiptId: '', rootId: subjectId, reason, issuer: this.issuer, at },
      [],
      state.subject,
    );
    if (isRefusal(refused)) return refused;
    const work = await this.works.begin(
      { id: newId('rct', epochMs(at), idBytes), kind: 'erase', scope: caller, subjects: [subjectId] },
      cause.request ?? null,
    );
    return this.carryOut(work, reason, cause);
  }

  private async carryOut(work: Work, reason: ErasureReason, cause: Cause): Promise<Done<SubjectErasedData> | Refusal> {
    const { id, scope, subjects } = work;
    // The subject may be merged while it is being erased; each time its survivor is looked for again.
    return untilSettled(async () => {
      const { subjectId: rootId, erased } = await this.completion.settle(scope, subjects[0]!);
      if (erased) return this.complete(work, rootId, cause);
      const refused = await this.end(scope, rootId, rootId, id, reason, cause);
      if (refused) {
        await this.works.finish(id);
        return refused;
      }
      return MOVED;
    });
  }

  /** Finishes an erasure that stands in the log. One that does not begins again when its request is repeated. */
  async carryOn(work: Work): Promise<void> {
    const { subjectId, erased } = await this.completion.settle(work.scope, work.subjects[0]!);
    if (erased) await this.complete(work, subjectId, { actor: 'system:erasure', at: this.clock() });
    else await this.works.finish(work.id);
  }

  /** Every step can be repeated: each caller that finds an erasure unfinished carries it on. */
  private async complete({ id, scope }: Work, rootId: string, cause: Cause): Promise<Done<SubjectErasedData>> {
    const done = (await this.erased(scope, rootId))!;
    const { erasedTogether, receiptId, reason } = done.answer;
    const everybody = [rootId, ...erasedTogether];
    for (const subjectId of erasedTogether) await this.end(scope, subjectId, rootId, receiptId, reason, cause);
    await this.completion.destroy(scope, everybody);
    this.tags.drop(everybody);
    await this.works.finish(id);
    return done;
  }

  /** Ends the stream of one subject; nothing where it was merged into another family meanwhile. */
  private async end(
    scope: Scope,
    subjectId: string,
    rootId: string,
    receiptId: string,
    reason: ErasureReason,
    cause: Cause,
  ): Promise<Refusal | null> {
    const isRoot = subjectId === rootId;
    const ended = await this.streams.execute(subjectStream(scope, subjectId), undefined, ({ state }) => {
      const at = this.clock();
      if (isRoot && standingOf(state.subject).merged) return { append: [], answer: () => null };
      // A hold on an absorbed subject stands at the survivor too, where it was judged.
      const subject = isRoot ? state.subject : { ...state.subject, restriction: null };
      const decided = eraseSubject(
        { receiptId, rootId, reason, issuer: this.issuer, at },
        isRoot ? familyOf(standingOf(state.subject)) : [],
        subject,
      );
      if (isRefusal(decided)) return decided;
      const metadata = eventMetadata({
        ...(isRoot
          ? ofRequest(cause, rootId)
          : { actor: cause.actor, requestId: cause.requestId, session: cause.session }),
        at,
      });
      return {
        append: decided.events.map((event): Intent => ({ event, id: uuidV5(`${receiptId}/${subjectId}`), metadata })),
        answer: () => null,
      };
    });
    return isRefusal(ended) ? ended : null;
  }

  /** The erasure of a subject, from its own stream or from that of the subject it was erased with; null where there is none. */
  private async erased(scope: Scope, subjectId: string): Promise<Done<SubjectErasedData> | null> {
    const stream = subjectStream(scope, subjectId);
    const { state } = await this.streams.load(stream);
    if (state.erasureRevision === null) return null;
    const [event] = await this.streams.at(stream, [state.erasureRevision], await this.vault.cipherOf(subjectId));
    const { data, position } = event as Happened<SubjectErased>;
    return data.rootId === subjectId ? { answer: data, position } : this.erased(scope, data.rootId);
  }
}
