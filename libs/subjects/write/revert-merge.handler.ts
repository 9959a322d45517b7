import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Happened, Intent, SubjectStream } from '../../event-log/subject-stream.js';
import { CLOCK, isRefusal, subjectStream, uuidV5, type Clock, type DomainEvent, type Instant, type Refusal, type Scope } from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations } from '../../platform/http/idempotency.js';
import { once, type Done } from '../../platform/http/once.js';
import { Vault } from '../../platform/vault/vault.js';
import { revertMerge } from '../decide.js';
import type { RevertMergeDto } from '../dto.js';
import type { SubjectMergeReverted } from '../events.js';
import { arrival, follow, seek } from '../follow.js';
import type { SubjectPart, WholeFold, WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import type { SubjectState } from '../state.js';
import { SUBJECT_PARTS, SUBJECT_TAGS, WHOLE_FOLD, WHOLE_STREAMS, type SubjectTags } from '../tokens.js';
import { causeOf } from './cause.js';
import { Resolver } from './resolver.js';
import { mergeKey, Settler } from './settler.js';
import { SubjectWorks } from './work.js';

export interface RevertAnswer {
  mergeId: string;
  target: { id: string };
  restored: string[];
  revertedAt: Instant;
}

/** Take a merge back: each subject has its own history and state again. Reverting twice is reverting once. */
export class RevertMerge {
  constructor(
    readonly caller: Caller,
    readonly mergeId: string,
    readonly input: RevertMergeDto,
    readonly idempotencyKey: string | null,
  ) {}
}

@CommandHandler(RevertMerge)
export class RevertMergeHandler implements ICommandHandler<RevertMerge, Done<RevertAnswer> & { replayed: boolean }> {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: SubjectStream<WholeState, DomainEvent>,
    @Inject(SUBJECT_PARTS) private readonly parts: readonly SubjectPart[],
    @Inject(WHOLE_FOLD) private readonly whole: WholeFold,
    private readonly works: SubjectWorks,
    private readonly resolver: Resolver,
    private readonly reservations: IdempotencyReservations,
    private readonly settler: Settler,
    private readonly vault: Vault,
    @Inject(SUBJECT_TAGS) private readonly tags: SubjectTags,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute(command: RevertMerge): Promise<Done<RevertAnswer> & { replayed: boolean }> {
    const { caller, mergeId, input, idempotencyKey } = command;
    return once(this.reservations, {
      scope: caller,
      idempotencyKey,
      fingerprint: this.reservations.fingerprintOf('POST', `/v1/subjects/merge/${mergeId}/revert`, input),
      replay: () => this.replay(caller, mergeId),
      carryOut: () => this.carryOut(command),
    });
  }

  private async replay(scope: Scope, mergeId: string): Promise<Done<RevertAnswer> | null> {
    const work = await this.works.find(scope, mergeId);
    if (work?.kind !== 'merge') return null;
    await this.resolver.refuseGone(scope, work.subjects[0]!);
    const reverted = await this.answerOf(scope, mergeId, work.subjects[0]!);
    return reverted && this.letGo(scope, reverted);
  }

  private async carryOut(command: RevertMerge): Promise<Done<RevertAnswer> | Refusal> {
    const { caller, mergeId } = command;
    const work = await this.works.find(caller, mergeId);
    if (work?.kind !== 'merge') return subjectRefusals.mergeNotFound();
    const [targetId, ...sourceIds] = work.subjects;
    const survivorId = await this.survivorOf(caller, mergeId, targetId!, sourceIds);
    if (survivorId === null) return subjectRefusals.mergeNotFound();
    if (isRefusal(survivorId)) return survivorId;
    const reverted = await this.revert(command, survivorId);
    if (isRefusal(reverted)) return reverted;
    return this.letGo(caller, reverted);
  }

  /** Opens those that the survivor has let go; the position covers all of them, so that whoever reads from there sees each on its own. */
  private async letGo(scope: Scope, { answer, position }: Done<RevertAnswer>): Promise<Done<RevertAnswer>> {
    const { mergeId, target, restored } = answer;
    let last = position!;
    for (const subjectId of restored) {
      await this.settler.open(scope, subjectId, mergeId, 'REVERTED');
      const { event } = await this.stored(scope, subjectId, mergeId, 'ABSORBED');
      if (event && event.position > last) last = event.position;
    }
    this.tags.drop([target.id, ...restored]);
    return { answer, position: last };
  }

  /** Where the merge arrived; null where it never did, or everybody in it was erased. */
  private async survivorOf(scope: Scope, mergeId: string, targetId: string, sourceIds: readonly string[]): Promise<string | Refusal | null> {
    for (const subjectId of [targetId, ...sourceIds]) {
      if ((await this.settler.settle(scope, subjectId)).erased) return subjectRefusals.erased();
      const followed = await follow(subjectId, (id) => this.settler.load(scope, id));
      if ('void' in followed) continue;
      const { path, root } = followed;
      for (const absorbedId of sourceIds) {
        const arrived = arrival(mergeId, absorbedId, [...path, root]);
        if (arrived && arrived.at.subjectId !== root.subjectId && arrived.what === 'absorbed') return subjectRefusals.laterMerge();
        if (arrived) return arrived.at.subjectId;
      }
    }
    return null;
  }

  private async revert({ caller, mergeId, input: { reason } }: RevertMerge, survivorId: string): Promise<Done<RevertAnswer> | Refusal> {
    const stream = subjectStream(caller, survivorId);
    const at = this.clock();
    const { requestId, actor } = causeOf(caller);
    const metadata = { requestId, actor, idempotencyKey: mergeKey(mergeId), fingerprint: mergeId, recordedAt: at };
    for (;;) {
      const { revision } = await this.streams.load(stream);
      const history: DomainEvent[] = [];
      for await (const event of this.streams.forwards(stream)) history.push(event);
      const written = await this.streams.execute(stream, await this.vault.cipherOf(survivorId), (loaded) => {
        // What is restored was told from the events up to there; where more came, it is told again.
        if (loaded.revision !== revision) return { append: [], answer: () => 'moved' as const };
        const decided = revertMerge(this.parts, this.whole, { mergeId, survivorId, at, ...(reason !== undefined && { reason }) }, loaded.state, history);
        if (isRefusal(decided)) return decided;
        return { append: decided.events.map((event): Intent => ({ event, id: uuidV5(`${mergeId}/reverted`), metadata })), answer: () => 'done' as const };
      });
      if (isRefusal(written)) return written;
      if (written === 'done') break;
    }
    return (await this.answerOf(caller, mergeId, survivorId))!;
  }

  /** What a revert was answered, from what stands on the survivor's stream; null where nothing was reverted. */
  private answerOf(scope: Scope, mergeId: string, targetId: string): Promise<Done<RevertAnswer> | null> {
    return seek(targetId, async (subjectId) => {
      const { state, event } = await this.stored(scope, subjectId, mergeId, 'SURVIVOR');
      if (!event) return { state, found: null };
      const { absorbedIds, revertedAt } = event.data;
      return { state, found: { answer: { mergeId, target: { id: subjectId }, restored: absorbedIds, revertedAt }, position: event.position } };
    });
  }

  private async stored(scope: Scope, subjectId: string, mergeId: string, role: 'ABSORBED' | 'SURVIVOR'): Promise<{ state: SubjectState; event: Happened<SubjectMergeReverted> | undefined }> {
    const stream = subjectStream(scope, subjectId);
    const { keys, state } = await this.streams.load(stream);
    const kept = keys.get(mergeKey(mergeId));
    const events = kept ? ((await this.streams.at(stream, kept.revisions, await this.vault.cipherOf(subjectId))) as Happened<SubjectMergeReverted>[]) : [];
    return { state: state.subject, event: events.findLast(({ type, data }) => type === 'SubjectMergeReverted' && data.role === role) };
  }
}
