import { Inject, Injectable } from '@nestjs/common';
import { RECORD_QUOTA, type RecordQuota } from '../../access/index.js';
import type { Attempt, Happened, Loaded } from '../../event-log/stream.js';
import {
  epochMs,
  isRefusal,
  subjectStream,
  type DomainEvent,
  type FieldCipher,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { goneWithSubject, onceEach, type Done, type Repeatable } from '../../platform/idempotency/once.js';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { Vault, type ResolvedSubject } from '../../platform/vault/vault.js';
import { firstSight } from '../decide.js';
import { seek } from '../follow.js';
import { subjectRefusals } from '../refusals.js';
import { isClosed, standingOf, type Standed } from '../standing.js';
import type {
  Cause,
  KeyedDecision,
  SubjectWriter,
  SubjectWriters,
  Target,
  WritingContext,
  Written,
} from '../writer.js';
import { MergeCompletion } from './merge-completion.js';
import { intentsOf, planAll, type Plan } from './plan.js';
import { MOVED, untilSettled } from './until-settled.js';

/** What became of one decision. `replayed`: the stream held it already. */
type Outcome = (Done<Written> & { replayed: boolean }) | Refusal;

@Injectable()
export class Writers implements SubjectWriters {
  constructor(
    private readonly vault: Vault,
    private readonly completion: MergeCompletion,
    private readonly reservations: IdempotencyReservations,
    @Inject(RECORD_QUOTA) private readonly quota: RecordQuota,
  ) {}

  of<S extends Standed>(context: WritingContext<S>): Writer<S> {
    return new Writer(context, this.vault, this.completion, this.reservations, this.quota);
  }
}

/** The one place that carries out commands on subjects. */
export class Writer<S extends Standed> implements SubjectWriter<S> {
  constructor(
    private readonly context: WritingContext<S>,
    private readonly vault: Vault,
    private readonly completion: MergeCompletion,
    private readonly reservations: IdempotencyReservations,
    private readonly quota: RecordQuota,
  ) {}

  async write(target: Target, decision: KeyedDecision<S>, cause: Cause): Promise<Repeatable<Written> | Refusal> {
    return (await this.writeAll(target, [decision], cause))[0]!;
  }

  writeAll(
    target: Target,
    decisions: readonly KeyedDecision<S>[],
    cause: Cause,
  ): Promise<(Repeatable<Written> | Refusal)[]> {
    const parts = decisions.map(({ key, claim = 'ROW', decide }) => ({
      key,
      claim,
      refused: isRefusal(decide) ? decide : null,
    }));
    return onceEach<Written>(this.reservations, parts, {
      replay: (places) =>
        this.writtenEach(
          target,
          places.map((place) => decisions[place]!.key!.digest),
        ),
      carryOut: (places) =>
        this.carryOut(
          target,
          places.map((place) => decisions[place]!),
          cause,
        ),
    });
  }

  async written(target: Target, digest: string): Promise<Done<Written> | Refusal | null> {
    return (await this.writtenEach(target, [digest]))[0]!;
  }

  async find(scope: Scope, reference: Reference): Promise<{ subjectId: string; state: S } | null> {
    let subjectId = (await this.vault.find(scope, reference))?.subjectId ?? null;
    const found = await untilSettled(async () => {
      if (subjectId === null) return null;
      const { state } = await this.context.streams.load(subjectStream(scope, subjectId));
      if (!isClosed(state)) return { subjectId, state };
      const settled = await this.completion.settle(scope, subjectId);
      subjectId = settled.erased ? null : settled.subjectId;
      return MOVED;
    });
    return isRefusal(found) ? null : found;
  }

  /** Writes on the stream of the subject, wherever merges lead it meanwhile. */
  private async carryOut(target: Target, decisions: readonly KeyedDecision<S>[], cause: Cause): Promise<Outcome[]> {
    const outcomes: (Outcome | undefined)[] = decisions.map(() => undefined);
    let subject = await this.resolve(target, cause);
    const refused = await untilSettled<Refusal | null>(async () => {
      if (isRefusal(subject)) return subject;
      const left = [...outcomes.keys()].filter((place) => outcomes[place] === undefined);
      const there = await this.writeOn(
        target,
        subject,
        left.map((place) => decisions[place]!),
        cause,
      );
      left.forEach((place, i) => (outcomes[place] = there[i]));
      if (!outcomes.includes(undefined)) return null;
      subject = await this.whereItIs(target, subject.subjectId, cause);
      return MOVED;
    });
    return outcomes.map((outcome) => outcome ?? refused!);
  }

  /** The subject that the reference names, made where it may be; or why there is none. */
  private async resolve({ scope, reference, mustBeKnown }: Target, { at }: Cause): Promise<ResolvedSubject | Refusal> {
    const found =
      mustBeKnown === undefined
        ? await this.vault.findOrCreate(scope, reference, epochMs(at))
        : await this.vault.find(scope, reference);
    if (found) return found;
    if (reference.kind !== 'subject') return subjectRefusals.notFound(mustBeKnown);
    const { state } = await this.context.streams.load(subjectStream(scope, reference.value));
    return standingOf(state).erasedAt === null ? subjectRefusals.notFound(mustBeKnown) : subjectRefusals.erased();
  }

  /** Where to go on from a subject whose stream is closed: to its survivor, or after an erasure to somebody new. */
  private async whereItIs(target: Target, closedId: string, cause: Cause): Promise<ResolvedSubject | Refusal> {
    const { scope, reference } = target;
    const { subjectId, erased } = await this.completion.settle(scope, closedId);
    if (!erased) return { subjectId, identifierId: '', created: false };
    if (reference.kind === 'subject') return subjectRefusals.erased();
    this.vault.forget(scope, reference);
    return this.resolve(target, cause);
  }

  /** One append on one stream. Undefined for each decision that the stream does not take any more. */
  async writeOn(
    { scope, reference }: Target,
    { subjectId, identifierId, created }: ResolvedSubject,
    decisions: readonly KeyedDecision<S>[],
    cause: Cause,
  ): Promise<(Outcome | undefined)[]> {
    const { streams, tags } = this.context;
    const stream = subjectStream(scope, subjectId);
    const [cipher, room] = await Promise.all([
      this.vault.cipherOf(subjectId),
      cause.countedFor && this.quota.roomFor(cause.countedFor, subjectId, decisions.length, cause.at),
    ]);
    const attempt = (loaded: Loaded<S>): Attempt<(Outcome | undefined)[]> => {
      const plans = planAll(decisions, subjectId, loaded, this.context, room?.refused ?? null);
      const appends = plans.some((plan) => plan.kind === 'append' && plan.events.length > 0);
      const first =
        appends && loaded.revision === -1 && identifierId !== ''
          ? firstSight(subjectId, identifierId, reference, cause.at)
          : [];
      return {
        append: appends ? intentsOf(first, decisions, plans, cause) : [],
        answer: (appended) => this.outcomesOf(stream, subjectId, plans, appended.slice(first.length), cipher),
      };
    };
    const outcomes = await streams.execute(stream, cipher, attempt, { isNew: created });
    tags.drop([subjectId]);
    room?.used(isRefusal(outcomes) ? 0 : outcomes.filter(isWritten).length);
    return isRefusal(outcomes) ? decisions.map(() => outcomes) : outcomes;
  }

  private async outcomesOf(
    stream: string,
    subjectId: string,
    plans: readonly Plan[],
    appended: readonly Happened<DomainEvent>[],
    cipher: FieldCipher,
  ): Promise<(Outcome | undefined)[]> {
    const kept = plans.flatMap((plan) => (plan.kind === 'kept' ? [plan.revisions] : []));
    const before = await this.keptAt(stream, subjectId, kept, cipher);
    let [next, nextKept] = [0, 0];
    return plans.map((plan) => {
      switch (plan.kind) {
        case 'append':
          return { ...doneOf(subjectId, appended.slice(next, (next += plan.events.length))), replayed: false };
        case 'kept': {
          const found = before[nextKept++]!;
          return isRefusal(found) ? found : { ...found, replayed: true };
        }
        case 'refused':
          return plan.refusal;
        case 'closed':
          return undefined;
      }
    });
  }

  /** What stands at these revisions, each list of them one write; nothing is answered again that an erasure took away. */
  private async keptAt(
    stream: string,
    subjectId: string,
    writes: readonly (readonly number[])[],
    cipher: FieldCipher,
  ): Promise<(Done<Written> | Refusal)[]> {
    if (writes.length === 0) return [];
    if (cipher.destroyed) return writes.map(goneWithSubject);
    const events = await this.context.streams.at(stream, writes.flat(), cipher);
    const byRevision = new Map(events.map((event) => [event.revision, event]));
    return writes.map((revisions) =>
      doneOf(
        subjectId,
        revisions.map((revision) => byRevision.get(revision)!),
      ),
    );
  }

  /** What was written under these keys on the subject, or where it belonged to at some time. */
  private async writtenEach(
    { scope, reference }: Target,
    digests: readonly string[],
  ): Promise<(Done<Written> | Refusal | null)[]> {
    const found = digests.map((): Done<Written> | Refusal | null => null);
    const subject = await this.vault.find(scope, reference);
    if (!subject) return found;
    await seek(subject.subjectId, async (subjectId) => {
      const stream = subjectStream(scope, subjectId);
      const { keys, state } = await this.context.streams.load(stream);
      const here = [...digests.keys()].filter((place) => found[place] === null && keys.has(digests[place]!));
      if (here.length > 0) {
        const cipher = await this.vault.cipherOf(subjectId);
        const kept = here.map((place) => keys.get(digests[place]!)!.revisions);
        const events = await this.keptAt(stream, subjectId, kept, cipher);
        here.forEach((place, i) => (found[place] = events[i]!));
      }
      return { state, found: found.includes(null) ? null : found };
    });
    return found;
  }
}

const isWritten = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && !isRefusal(outcome) && !outcome.replayed && outcome.position !== null;

const doneOf = (subjectId: string, events: readonly Happened<DomainEvent>[]): Done<Written> => ({
  answer: { subjectId, events },
  position: events.at(-1)?.position ?? null,
});
