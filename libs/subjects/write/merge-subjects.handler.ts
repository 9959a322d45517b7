import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, isRefusal, Refused, type Clock, type Refusal, type Scope } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { readReference } from '../../http/registered-kind.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations, type RequestKey } from '../../commands/reservations.js';
import { once, type Done, type Hold, type Repeatable } from '../../commands/once.js';
import { Vault } from '../../vault/vault.js';
import type { MergeSubjectsDto } from '../dto.js';
import { subjectRefusals } from '../refusals.js';
import { causeOf } from '../writer.js';
import { Merger, type Merge, type MergeAnswer } from './merger.js';
import { Resolver } from './resolver.js';
import { Works } from '../../commands/works.js';

/** Make several subjects one. */
export class MergeSubjects extends Command<Repeatable<MergeAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly input: MergeSubjectsDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

@CommandHandler(MergeSubjects)
export class MergeSubjectsHandler implements ICommandHandler<MergeSubjects> {
  constructor(
    private readonly resolver: Resolver,
    private readonly merger: Merger,
    private readonly works: Works,
    private readonly vault: Vault,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey }: MergeSubjects): Promise<Repeatable<MergeAnswer>> {
    const named = [input.target, ...input.sources].map((ref, i) => {
      const reference = readReference(ref, caller);
      const path = i === 0 ? 'target' : `sources[${i - 1}]`;
      if (isRefusal(reference)) throw new Refused({ ...reference, issues: [{ path, message: reference.message }] });
      return reference;
    });
    const target = named[0]!;
    if (input.dryRun) {
      const planned = await this.plan(caller, input);
      const preview = isRefusal(planned) ? planned : await this.merger.preview(caller, planned);
      if (isRefusal(preview)) throw new Refused(preview);
      return { answer: preview, position: null, replayed: false };
    }
    const found = await this.vault.find(caller, target);
    const fingerprint = this.reservations.fingerprintOf('POST', '/v1/subjects/merge', input);
    return once(this.reservations, {
      scope: keyScopeOf(caller, []),
      idempotencyKey,
      fingerprint,
      subjects: found ? [found.subjectId] : [],
      replay: (digest) => this.replay(caller, digest),
      carryOut: (digest, _, hold) => this.merge(caller, input, digest === null ? null : { digest, fingerprint }, hold),
    });
  }

  private async merge(
    caller: Caller,
    input: MergeSubjectsDto,
    request: RequestKey | null,
    hold: Hold,
  ): Promise<Done<MergeAnswer> | Refusal> {
    const begun = request && (await this.works.findByKey(request.digest));
    const planned = begun
      ? { targetId: begun.subjects[0]!, sourceIds: begun.subjects.slice(1), rule: this.ruleOf(input) }
      : await this.plan(caller, input);
    if (isRefusal(planned)) return planned;
    const { id, subjects } =
      begun ?? (await this.merger.begin(caller, [planned.targetId, ...planned.sourceIds], request));
    const [targetId, ...sourceIds] = subjects;
    const done = await this.merger.merge(
      caller,
      {
        ...planned,
        mergeId: id,
        targetId: targetId!,
        sourceIds,
        ...(input.reason !== undefined && { reason: input.reason }),
      },
      { ...causeOf(caller, this.clock()), ...(request && { request, reservedFor: hold.subjects }) },
    );
    // Refused or done: no other process has to finish the work.
    await this.works.finish(id);
    return done;
  }

  private async replay(scope: Scope, digest: string): Promise<Done<MergeAnswer> | null> {
    const work = await this.works.findByKey(digest);
    if (!work) return null;
    await this.resolver.refuseGone(scope, work.subjects[0]!);
    const done = await this.merger.answerOf(scope, work.id, work.subjects[0]!);
    // A merge that was cut off between two sources is carried on when its request is repeated.
    return done && done.answer.merged.length === work.subjects.length - 1 ? done : null;
  }

  private async plan(scope: Scope, input: MergeSubjectsDto): Promise<Omit<Merge, 'mergeId'> | Refusal> {
    const targetId = await this.resolver.resolve(scope, input.target, 'target');
    if (isRefusal(targetId)) return targetId;
    const sourceIds = new Set<string>();
    for (const [i, source] of input.sources.entries()) {
      const sourceId = await this.resolver.resolve(scope, source, `sources[${i}]`);
      if (isRefusal(sourceId)) return sourceId;
      if (sourceId === targetId) return subjectRefusals.alreadyOne();
      sourceIds.add(sourceId);
    }
    return { targetId, sourceIds: [...sourceIds], rule: this.ruleOf(input) };
  }

  private ruleOf({ conflictPolicy = 'MOST_RESTRICTIVE' }: MergeSubjectsDto): Merge['rule'] {
    return { policy: conflictPolicy, carryOver: null, mergedAt: this.clock() };
  }
}
