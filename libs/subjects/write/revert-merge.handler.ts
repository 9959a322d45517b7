import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Happened, Intent, SubjectStream } from '../../event-log/subject-stream.js';
import { CLOCK, isRefusal, Refused, subjectStream, uuidV5, type Clock, type DomainEvent, type Instant, type Refusal, type Scope } from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import type { Done } from '../../platform/http/once.js';
import { TAG_CACHE, type TagCache } from '../../platform/cache/tag-cache.js';
import { Vault } from '../../platform/vault/vault.js';
import { revertMerge } from '../decide.js';
import type { SubjectMergeReverted } from '../events.js';
import { arrival, follow } from '../follow.js';
import type { SubjectPart, WholeFold, WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import { SUBJECT_PARTS, WHOLE_FOLD, WHOLE_STREAMS } from '../tokens.js';
import { causeOf } from './cause.js';
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
    readonly reason: string | undefined,
  ) {}
}

@CommandHandler(RevertMerge)
export class RevertMergeHandler implements ICommandHandler<RevertMerge, Done<RevertAnswer>> {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: SubjectStream<WholeState, DomainEvent>,
    @Inject(SUBJECT_PARTS) private readonly parts: readonly SubjectPart[],
    @Inject(WHOLE_FOLD) private readonly whole: WholeFold,
    private readonly works: SubjectWorks,
    private readonly settler: Settler,
    private readonly vault: Vault,
    @Inject(TAG_CACHE) private readonly tags: TagCache,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(command: RevertMerge): Promise<Done<RevertAnswer>> {
    const { caller, mergeId } = command;
    const work = await this.works.find(caller, mergeId);
    if (work?.kind !== 'merge') throw new Refused(subjectRefusals.mergeNotFound());
    const [targetId, ...sourceIds] = work.subjects;
    const survivorId = await this.survivorOf(caller, mergeId, targetId!, sourceIds);
    if (survivorId === null) throw new Refused(subjectRefusals.mergeNotFound());
    if (isRefusal(survivorId)) throw new Refused(survivorId);
    const reverted = await this.revert(command, survivorId);
    if (isRefusal(reverted)) throw new Refused(reverted);
    // The survivor has let them go; that they are open again whoever comes by would see to as well.
    for (const subjectId of reverted.answer.restored) await this.settler.open(caller, subjectId, mergeId, 'REVERTED');
    this.tags.drop([survivorId, ...reverted.answer.restored]);
    return reverted;
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

  private async revert({ caller, mergeId, reason }: RevertMerge, survivorId: string): Promise<Done<RevertAnswer> | Refusal> {
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
    const kept = (await this.streams.load(stream)).keys.get(mergeKey(mergeId))!;
    const events = (await this.streams.at(stream, kept.revisions, await this.vault.cipherOf(survivorId))) as Happened<SubjectMergeReverted>[];
    const { data, position } = events.findLast((event) => event.type === 'SubjectMergeReverted' && event.data.role === 'SURVIVOR')!;
    return { answer: { mergeId, target: { id: survivorId }, restored: data.absorbedIds, revertedAt: data.revertedAt }, position };
  }
}
