import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ReplayCost } from '../../streams/replay-cost.js';
import type { Intent, Stream } from '../../streams/stream.js';
import {
  CLOCK,
  isId,
  isRefusal,
  Refused,
  subjectStream,
  uuidV5,
  type Clock,
  type DomainEvent,
  type Instant,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { once, type Done, type Repeatable } from '../../commands/once.js';
import { Vault } from '../../vault/vault.js';
import { revertMerge } from '../decide.js';
import type { RevertMergeDto } from '../dto.js';
import {
  excludedBy,
  firstOfMerges,
  type HistorySince,
  type SubjectPart,
  type WholeFold,
  type WholeState,
} from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import { causeOf, type Cause } from '../writer.js';
import { SUBJECT_PARTS, SUBJECT_TAGS, WHOLE_FOLD, WHOLE_STREAMS, type SubjectTags } from '../tokens.js';
import { Resolver } from './resolver.js';
import { mergeKey, MergeCompletion } from './merge-completion.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import { ofRequest } from './of-request.js';
import { MOVED, untilSettled } from './until-settled.js';
import { Works } from '../../commands/works.js';

export interface RevertAnswer {
  mergeId: string;
  target: { id: string };
  restored: string[];
  revertedAt: Instant;
}

/** Take a merge back: each subject has its own history and state again. Reverting twice is reverting once. */
export class RevertMerge extends Command<Repeatable<RevertAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly mergeId: string,
    readonly input: RevertMergeDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

@CommandHandler(RevertMerge)
export class RevertMergeHandler implements ICommandHandler<RevertMerge> {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: Stream<WholeState, DomainEvent>,
    @Inject(SUBJECT_PARTS) private readonly parts: readonly SubjectPart[],
    @Inject(WHOLE_FOLD) private readonly whole: WholeFold,
    private readonly works: Works,
    private readonly resolver: Resolver,
    private readonly reservations: IdempotencyReservations,
    private readonly completion: MergeCompletion,
    private readonly vault: Vault,
    @Inject(SUBJECT_TAGS) private readonly tags: SubjectTags,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(command: RevertMerge): Promise<Repeatable<RevertAnswer>> {
    const { caller, mergeId, input, idempotencyKey } = command;
    // What is written otherwise than the ids of merges are is not looked for.
    if (!isId('mrg', mergeId)) throw new Refused(subjectRefusals.mergeNotFound());
    const work = await this.works.find(caller, mergeId);
    const fingerprint = this.reservations.fingerprintOf('POST', `/v1/subjects/merge/${mergeId}/revert`, input);
    return once(this.reservations, {
      scope: keyScopeOf(caller, []),
      idempotencyKey,
      subjects: work ? work.subjects.slice(0, 1) : [],
      fingerprint,
      replay: () => this.replay(caller, mergeId),
      carryOut: (digest, _, { subjects }) =>
        this.carryOut(command, {
          ...causeOf(caller, this.clock()),
          ...(digest !== null && { request: { digest, fingerprint }, reservedFor: subjects }),
        }),
    });
  }

  private async replay(scope: Scope, mergeId: string): Promise<Done<RevertAnswer> | null> {
    const work = await this.works.find(scope, mergeId);
    if (work?.kind !== 'merge') return null;
    await this.resolver.refuseGone(scope, work.subjects[0]!);
    const reverted = await this.answerOf(scope, mergeId, work.subjects[0]!);
    return reverted && this.letGo(scope, reverted);
  }

  private async carryOut(command: RevertMerge, cause: Cause): Promise<Done<RevertAnswer> | Refusal> {
    const { caller, mergeId } = command;
    const work = await this.works.find(caller, mergeId);
    if (work?.kind !== 'merge') return subjectRefusals.mergeNotFound();
    const targetId = work.subjects[0]!;
    for (const subjectId of work.subjects)
      if ((await this.completion.settle(caller, subjectId)).erased && subjectId === targetId)
        return subjectRefusals.erased();
    const survivors = new Set(
      (await this.completion.notified(caller, mergeId, targetId)).map(({ subjectId }) => subjectId),
    );
    if (survivors.size === 0) return subjectRefusals.mergeNotFound();
    for (const survivorId of survivors) {
      const { standing } = await this.completion.load(caller, survivorId);
      if (standing.merged && standing.absorbed.some((each) => each.mergeId === mergeId))
        return subjectRefusals.laterMerge();
    }
    for (const survivorId of survivors) {
      const refused = await this.revert(command, survivorId, cause);
      if (refused) return refused;
    }
    return this.letGo(caller, (await this.answerOf(caller, mergeId, targetId))!);
  }

  /** Opens those that the survivors have let go. The position covers all of them, so a reader from there sees each on its own. */
  private async letGo(scope: Scope, { answer, position }: Done<RevertAnswer>): Promise<Done<RevertAnswer>> {
    const { mergeId, target, restored } = answer;
    let last = position!;
    for (const subjectId of restored) {
      await this.completion.settle(scope, subjectId);
      const { events } = await this.completion.eventsOf(scope, mergeId, subjectId);
      for (const event of events)
        if (event.type === 'SubjectMergeReverted' && event.data.role === 'ABSORBED' && event.position > last)
          last = event.position;
    }
    this.tags.drop([target.id, ...restored]);
    return { answer, position: last };
  }

  private async revert(
    { caller, mergeId, input: { reason } }: RevertMerge,
    survivorId: string,
    cause: Cause,
  ): Promise<Refusal | null> {
    const stream = subjectStream(caller, survivorId);
    const at = this.clock();
    const metadata = eventMetadata({ ...ofRequest(cause, survivorId), key: mergeKey(mergeId), at });
    // The survivor may be written to while it is read; each time it is read again.
    return untilSettled<Refusal | null>(async () => {
      const { revision, state } = await this.streams.load(stream);
      const history = await this.historySince(stream, firstOfMerges(state, excludedBy(state, mergeId)), revision);
      return this.streams.execute<null | typeof MOVED>(stream, await this.vault.cipherOf(survivorId), (loaded) => {
        // What is restored follows from the events up to there; where more came, it is worked out again.
        if (loaded.revision !== revision) return { append: [], answer: () => MOVED };
        const decided = revertMerge(
          this.parts,
          this.whole,
          { mergeId, survivorId, at, ...(reason !== undefined && { reason }) },
          loaded.state,
          history,
        );
        if (isRefusal(decided)) return decided;
        return {
          append: decided.events.map((event): Intent => ({
            event,
            id: uuidV5(`${mergeId}/reverted/${survivorId}`),
            metadata,
          })),
          answer: () => null,
        };
      });
    });
  }

  /** What a survivor had come to before a revision, and its events from there through another. */
  private async historySince(stream: string, from: number, through: number): Promise<HistorySince> {
    const { begin, events: since } = await this.streams.since(stream, { revision: from - 1 }, ReplayCost.ofWrite());
    const events: DomainEvent[] = [];
    for await (const event of since) {
      if (event.revision > through) break;
      events.push(event);
    }
    return { state: begin.state, events };
  }

  /** What a revert was answered, from what stands on the survivors' streams; null where nothing was reverted. */
  private async answerOf(scope: Scope, mergeId: string, targetId: string): Promise<Done<RevertAnswer> | null> {
    const reverted = (await this.completion.notified(scope, mergeId, targetId)).flatMap(({ subjectId, event }) =>
      event.type === 'SubjectMergeReverted' ? [{ subjectId, event }] : [],
    );
    const last = reverted.at(-1);
    return last
      ? {
          answer: {
            mergeId,
            target: { id: last.subjectId },
            restored: reverted.flatMap(({ event }) => event.data.absorbedIds),
            revertedAt: last.event.data.revertedAt,
          },
          position: last.event.position,
        }
      : null;
  }
}
