import { Inject, Injectable } from '@nestjs/common';
import {
  type Position,
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
import type { Happened, Intent, Stream } from '../../streams/stream.js';
import type { Done } from '../../commands/once.js';
import type { RequestKey } from '../../commands/reservations.js';
import { Works, type Work } from '../../commands/works.js';
import { idBytes } from '../../engines/id-bytes.js';
import { Vault } from '../../vault/vault.js';
import { absorb, MOST_FAMILY, receive } from '../decide.js';
import type { MergeConflict, MergeRule, SubjectsMerged } from '../events.js';
import { outcomeOf } from '../follow.js';
import { conflictsOf, type SubjectPart, type WholeFold, type WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import { familyOf, standingOf } from '../standing.js';
import { SUBJECT_PARTS, SUBJECT_TAGS, WHOLE_FOLD, WHOLE_STREAMS, type SubjectTags } from '../tokens.js';
import { mergeKey, MergeCompletion } from './merge-completion.js';
import type { Cause } from '../writer.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import { ofRequest } from './of-request.js';
import { SubjectRegistrar } from './registrar.js';
import { MOVED, untilSettled } from './until-settled.js';

export interface Merge {
  mergeId: string;
  targetId: string;
  /** Subjects, each once. */
  sourceIds: readonly string[];
  rule: MergeRule;
  reason?: string;
}

export interface MergeAnswer {
  mergeId: string | null;
  target: { id: string };
  merged: string[];
  conflicts: MergeConflict[];
  dryRun: boolean;
}

/** Makes subjects one. Closing an absorbed stream is the commit point; the next caller that meets the merge completes the rest. */
@Injectable()
export class Merger {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: Stream<WholeState, DomainEvent>,
    @Inject(SUBJECT_PARTS) private readonly parts: readonly SubjectPart[],
    @Inject(WHOLE_FOLD) private readonly whole: WholeFold,
    private readonly completion: MergeCompletion,
    private readonly registrar: SubjectRegistrar,
    private readonly works: Works,
    private readonly vault: Vault,
    @Inject(SUBJECT_TAGS) private readonly tags: SubjectTags,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The answer as if, and why not; writes nothing. */
  async preview(scope: Scope, { targetId, sourceIds, rule }: Omit<Merge, 'mergeId'>): Promise<MergeAnswer | Refusal> {
    let { state } = await this.completion.load(scope, targetId);
    const conflicts: MergeConflict[] = [];
    for (const absorbedId of sourceIds) {
      const source = await this.completion.load(scope, absorbedId);
      const merge = { ...rule, mergeId: '', survivorId: targetId, absorbedId };
      const refused = this.refused(targetId, state, absorbedId, source.state);
      if (refused) return refused;
      conflicts.push(
        ...conflictsOf(this.parts, { id: targetId, state }, { id: absorbedId, state: source.state }, rule),
      );
      const received = receive(this.parts, merge, source.state, state);
      if (!isRefusal(received)) for (const event of received.events) state = this.whole.evolve(state, event);
    }
    return { mergeId: null, target: { id: targetId }, merged: [...sourceIds], conflicts, dryRun: true };
  }

  /** Notes that these subjects are to be one: the survivor, then the others. Under a key that was used before, as noted then. */
  async begin(scope: Scope, subjects: readonly string[], key: RequestKey | null): Promise<Work> {
    await this.vault.noteMerge(subjects);
    const id = newId('mrg', epochMs(this.clock()), idBytes);
    return this.works.begin({ id, kind: 'merge', scope, subjects }, key);
  }

  async merge(scope: Scope, merge: Merge, cause: Cause): Promise<Done<MergeAnswer> | Refusal> {
    for (const sourceId of merge.sourceIds) {
      const refused = await this.mergeOne(scope, merge, sourceId, cause);
      if (refused) return refused;
    }
    return (await this.answerOf(scope, merge.mergeId, merge.targetId)) ?? subjectRefusals.mergeWasVoid();
  }

  private async mergeOne(
    scope: Scope,
    { mergeId, targetId, rule, reason }: Merge,
    sourceId: string,
    cause: Cause,
  ): Promise<Refusal | null> {
    let lost: Refusal | null = null;
    return untilSettled<Refusal | null>(
      async () => {
        const { subjectId: survivorId, erased: noTarget } = await this.completion.settle(scope, targetId);
        const { subjectId: absorbedId, erased: noSource } = await this.completion.settle(scope, sourceId);
        if (noTarget || noSource) return subjectRefusals.erased();
        if (survivorId === absorbedId)
          return (await this.received(scope, mergeId, targetId)).some(({ event }) =>
            event.data.family?.includes(sourceId),
          )
            ? null
            : subjectRefusals.alreadyOne();
        const [survivor, absorbed] = [
          await this.completion.load(scope, survivorId),
          await this.completion.load(scope, absorbedId),
        ];
        const refused = this.refused(survivorId, survivor.state, absorbedId, absorbed.state);
        if (refused) return refused;
        for (const [id, { state }] of [
          [survivorId, survivor],
          [absorbedId, absorbed],
        ] as const)
          if (state.subject.createdAt === null) {
            await this.registrar.begin(scope, id, cause);
            return MOVED;
          }
        if (outcomeOf(mergeId, absorbedId, survivor) !== null) return subjectRefusals.mergeWasVoid();
        const closed = await this.streams.execute(
          subjectStream(scope, absorbedId),
          await this.vault.cipherOf(absorbedId),
          ({ state, revision }) => {
            const decided = absorb(
              { mergeId, survivorId, absorbedId, ...rule, ...(reason !== undefined && { reason }) },
              state.subject,
            );
            if (isRefusal(decided)) return decided;
            const metadata = eventMetadata({
              ...ofRequest(cause, absorbedId),
              key: mergeKey(mergeId),
              at: this.clock(),
            });
            return {
              append: decided.events.map((event): Intent => ({
                event,
                id: uuidV5(`${mergeId}/${absorbedId}/absorbed/${revision}`),
                metadata,
              })),
              answer: () => null,
            };
          },
        );
        // Others were faster: where they all stand now is looked at again.
        if (isRefusal(closed)) {
          lost = closed;
          return MOVED;
        }
        await this.completion.settle(scope, absorbedId);
        this.tags.drop([absorbedId, survivorId]);
        const { standing } = await this.completion.load(scope, absorbedId);
        if (standing.merged?.mergeId === mergeId) return null;
        lost = subjectRefusals.mergeWasVoid();
        return MOVED;
      },
      () => lost ?? subjectRefusals.contended(),
    );
  }

  private refused(survivorId: string, survivor: WholeState, absorbedId: string, absorbed: WholeState): Refusal | null {
    if (survivorId === absorbedId) return subjectRefusals.alreadyOne();
    const size = familyOf(standingOf(survivor.subject)).length + familyOf(standingOf(absorbed.subject)).length + 1;
    return size > MOST_FAMILY ? subjectRefusals.familyTooLarge(MOST_FAMILY) : null;
  }

  /** What a merge was answered, from the event on the survivor; null where nothing arrived. */
  async answerOf(scope: Scope, mergeId: string, targetId: string): Promise<Done<MergeAnswer> | null> {
    const received = await this.received(scope, mergeId, targetId);
    if (received.length === 0) return null;
    const answer: MergeAnswer = {
      mergeId,
      target: { id: received.at(-1)!.event.data.survivorId },
      merged: received.map(({ event }) => event.data.absorbedId),
      conflicts: received.flatMap(({ event }) => event.data.conflicts ?? []),
      dryRun: false,
    };
    return {
      answer,
      position: received.reduce<Position>((last, { event }) => (event.position > last ? event.position : last), -1n),
    };
  }

  /** The arrivals of a merge with its survivors: more than one of them where the first was merged itself before it had all. */
  async received(
    scope: Scope,
    mergeId: string,
    targetId: string,
  ): Promise<{ subjectId: string; event: Happened<SubjectsMerged> }[]> {
    const notified = await this.completion.notified(scope, mergeId, targetId);
    return notified.flatMap(({ subjectId, event }) => (event.type === 'SubjectsMerged' ? [{ subjectId, event }] : []));
  }
}
