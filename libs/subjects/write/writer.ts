import { Inject, Injectable } from '@nestjs/common';
import { RECORD_QUOTA, type RecordQuota } from '../../access/index.js';
import { decideOnStream, keptAt, type StreamOutcome } from '../../commands/decide-on-stream.js';
import type { KeySearch } from '../../streams/stream.js';
import {
  BEGINNING_OF_TIME,
  epochMs,
  isRefusal,
  newId,
  subjectStream,
  withMembers,
  type Instant,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { goneWithSubject, onceEach, type Done, type Hold, type Repeatable } from '../../commands/once.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { idBytes } from '../../engines/id-bytes.js';
import { Vault, type ResolvedSubject } from '../../vault/vault.js';
import { firstSight } from '../decide.js';
import { seek } from '../follow.js';
import { subjectRefusals } from '../refusals.js';
import { isClosed, standingOf, type Standed } from '../standing.js';
import type {
  Cause,
  KeyedDecision,
  NamedSubject,
  SoughtKey,
  SubjectWriter,
  SubjectWriters,
  Target,
  WritingContext,
  Written,
} from '../writer.js';
import { MergeCompletion } from './merge-completion.js';
import { reservedForOthers } from './of-request.js';
import { MOVED, untilSettled } from './until-settled.js';

/** What became of one decision. `replayed`: the stream held it already. */
type Outcome = (Done<Written> & { replayed: boolean }) | Refusal;

/** A decision, and whether it was begun before and cut off. */
type Resumable<S> = KeyedDecision<S> & { resumed: boolean };

/** The rows that name the subject, and by which id. */
interface Reserved {
  isNew: boolean;
  name: string;
  holds: readonly Hold[];
  /** Found or made together with the rows. */
  met: ResolvedSubject | null;
}

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

  async writeAll(
    target: Target,
    decisions: readonly KeyedDecision<S>[],
    cause: Cause,
  ): Promise<(Repeatable<Written> | Refusal)[]> {
    const named = target.part?.named ?? (await this.nameForRows(target, decisions, cause.at));
    const parts = decisions.map(({ key, claim = 'ROW', decide }) => ({
      key,
      claim,
      subjects: named ? [named.subjectId] : [],
      newcomer: target.part ? null : named?.newcomer,
      refused: isRefusal(decide) ? decide : null,
    }));
    return onceEach<Written>(this.reservations, parts, {
      replay: (places) =>
        this.writtenAll(
          target,
          places.map((place) => soughtBy(decisions[place]!)!),
        ),
      carryOut: (places, resumed, hold) =>
        this.carryOut(
          target,
          places.map((place) => ({ resumed: resumed.includes(place), ...decisions[place]! })),
          cause,
          named && this.reservedBy(named, target.part ? [hold, target.part.hold] : [hold]),
        ),
    });
  }

  /** Whom the rows of these decisions name; null where none has a row of its own. */
  private nameForRows(
    target: Target,
    decisions: readonly KeyedDecision<S>[],
    at: Instant,
  ): NamedSubject | null | Promise<NamedSubject> {
    const withRow = decisions.filter(({ key, claim = 'ROW' }) => key !== null && claim === 'ROW');
    if (withRow.length === 0) return null;
    // A command that is refused in any case reserves nothing, so that no subject is made for it.
    return decisions.length === 1 && !isRefusal(withRow[0]!.decide)
      ? this.nameToMeet(target, at)
      : this.nameOf(target, at);
  }

  nameToMeet(target: Target, at: Instant): NamedSubject | Promise<NamedSubject> {
    const { scope, reference, mustBeKnown } = target;
    if (reference.kind === 'subject' || mustBeKnown !== undefined || this.vault.remembered(scope, reference))
      return this.nameOf(target, at);
    const newcomer = this.vault.newcomer(scope, reference, epochMs(at));
    return { subjectId: newcomer.subjectId, isNew: true, newcomer };
  }

  async nameOf({ scope, reference }: Target, at: Instant): Promise<NamedSubject> {
    const found = await this.vault.find(scope, reference);
    if (found) return { subjectId: found.subjectId, isNew: false };
    const subjectId = reference.kind === 'subject' ? reference.value : newId('sub', epochMs(at), idBytes);
    return { subjectId, isNew: true };
  }

  async written(target: Target, digest: string): Promise<Done<Written> | Refusal | null> {
    return (await this.writtenAll(target, [{ digest }]))[0]!;
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
  private async carryOut(
    target: Target,
    decisions: readonly Resumable<S>[],
    cause: Cause,
    reserved: Reserved | null,
  ): Promise<Outcome[]> {
    const outcomes: (Outcome | undefined)[] = decisions.map(() => undefined);
    const isOpen = (): boolean => outcomes.includes(undefined);
    // Who was cut off before the subject was erased does not bring the person back.
    const erased = (): void => decisions.forEach(({ resumed }, i) => resumed && (outcomes[i] ??= goneWithSubject()));
    if (reserved && !reserved.isNew && !(await this.vault.find(target.scope, target.reference))) erased();
    if (!isOpen()) return outcomes as Outcome[];
    let subject = await this.begin(target, cause, reserved);
    const refused = await untilSettled<Refusal | null>(async () => {
      if (isRefusal(subject)) return subject;
      const left = [...outcomes.keys()].filter((place) => outcomes[place] === undefined);
      const there = await this.writeOn(
        target,
        subject,
        left.map((place) => decisions[place]!),
        reserved ? withMembers(cause, { reservedFor: [reserved.name] }) : cause,
      );
      left.forEach((place, i) => (outcomes[place] = there[i]));
      if (!isOpen()) return null;
      const settled = await this.completion.settle(target.scope, subject.subjectId);
      if (settled.erased) erased();
      if (!isOpen()) return null;
      subject = settled.erased
        ? await this.beginAnew(target, cause, reserved)
        : { subjectId: settled.subjectId, identifierId: '', created: false };
      return MOVED;
    });
    return outcomes.map((outcome) => outcome ?? refused!);
  }

  private reservedBy({ subjectId, isNew, newcomer }: NamedSubject, holds: readonly Hold[]): Reserved {
    const row = holds.find((hold) => hold.met)?.met ?? null;
    const met = newcomer && row ? this.vault.met(newcomer, row) : null;
    return {
      isNew: met ? met.created : isNew,
      // The row of a first try may name an id that no subject got: it is given now.
      name: holds[0]!.subjects[0] ?? subjectId,
      holds,
      met,
    };
  }

  /** The subject that the reference names, made where it may be; or why there is none. The rows name it from here on. */
  private async begin(target: Target, cause: Cause, reserved: Reserved | null): Promise<ResolvedSubject | Refusal> {
    if (!reserved) return this.resolve(target, cause);
    const { met } = reserved;
    reserved.met = null;
    if (met?.created && met.subjectId === reserved.name) return met;
    const subject = await this.resolve(target, cause, reserved.isNew ? reserved.name : undefined);
    if (isRefusal(subject) || subject.subjectId === reserved.name) return subject;
    for (const hold of reserved.holds) await hold.rename(reserved.name, subject.subjectId);
    reserved.name = subject.subjectId;
    return subject;
  }

  /** After an erasure a reference names a new subject; an id names none any more. */
  private async beginAnew(target: Target, cause: Cause, reserved: Reserved | null): Promise<ResolvedSubject | Refusal> {
    if (target.reference.kind === 'subject' || target.mustStillBe !== undefined) return subjectRefusals.erased();
    this.vault.forget(target.scope, target.reference);
    if (reserved) reserved.isNew = false;
    return this.begin(target, cause, reserved);
  }

  private async resolve(
    { scope, reference, mustBeKnown, mustStillBe }: Target,
    { at }: Cause,
    newSubjectId?: string,
  ): Promise<ResolvedSubject | Refusal> {
    const found =
      mustBeKnown === undefined
        ? await this.vault.findOrCreate(scope, reference, epochMs(at), newSubjectId)
        : await this.vault.find(scope, reference);
    if (found) return (mustStillBe ?? found.subjectId) === found.subjectId ? found : subjectRefusals.erased();
    if (reference.kind !== 'subject') return subjectRefusals.notFound(mustBeKnown);
    const { state } = await this.context.streams.load(subjectStream(scope, reference.value));
    return standingOf(state).erasedAt === null ? subjectRefusals.notFound(mustBeKnown) : subjectRefusals.erased();
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
    const [cipher, find, room] = await Promise.all([
      this.vault.cipherOf(subjectId),
      this.searches(decisions.flatMap((decision) => soughtBy(decision) ?? [])),
      cause.countedFor && this.quota.roomFor(cause.countedFor, subjectId, decisions.length, cause.at),
    ]);
    const outcomes = await decideOnStream<S>(
      {
        streams,
        stream,
        evolve: (state, event) => this.context.evolve(state, event),
        cipher,
        find,
        isClosed,
        gone: goneWithSubject,
        cause: withMembers(cause, { reservedFor: reservedForOthers(cause, subjectId) }),
        isNew: created,
        full: room?.refused ?? null,
        begin: () => (identifierId === '' ? [] : firstSight(subjectId, identifierId, reference, cause.at)),
      },
      decisions.map(({ key, decide, idOf }) => ({
        key,
        idOf,
        decide: isRefusal(decide) ? decide : (state) => decide(state, subjectId, cipher),
      })),
    );
    tags.drop([subjectId]);
    const done = outcomes.map((outcome) => writtenOn(subjectId, outcome));
    room?.used(done.filter(isWritten).length);
    return done;
  }

  /** What was written under these keys on the subject, or where it belonged to at some time. */
  async writtenAll(
    { scope, reference }: Target,
    sought: readonly SoughtKey[],
  ): Promise<(Done<Written> | Refusal | null)[]> {
    const found = sought.map((): Done<Written> | Refusal | null => null);
    const subject = await this.vault.find(scope, reference);
    if (!subject) return found;
    const find = await this.searches(sought);
    await seek(subject.subjectId, async (subjectId) => {
      const stream = subjectStream(scope, subjectId);
      const { keys, state } = await this.context.streams.load(stream, { find });
      const here = [...sought.keys()].filter((place) => found[place] === null && keys.has(sought[place]!.digest));
      if (here.length > 0) {
        const cipher = await this.vault.cipherOf(subjectId);
        const kept = here.map((place) => keys.get(sought[place]!.digest)!.revisions);
        const { streams } = this.context;
        const outcomes = await keptAt({ streams, stream, cipher, gone: goneWithSubject }, kept);
        here.forEach((place, i) => (found[place] = writtenOn(subjectId, outcomes[i]!)!));
      }
      return { state, found: found.includes(null) ? null : found };
    });
    return found;
  }

  /** Where on a stream these keys can stand: their reservations know when they were used. */
  private async searches(sought: readonly SoughtKey[]): Promise<KeySearch[]> {
    const reserved = sought.flatMap(({ digest, coveredBy = digest, usedSince }) => (usedSince ? [] : [coveredBy]));
    const windows = await this.reservations.windowsOf(reserved);
    return sought.map(({ digest, coveredBy = digest, usedSince = BEGINNING_OF_TIME }) => ({
      digests: [digest],
      ...(windows.get(coveredBy) ?? { since: usedSince }),
    }));
  }
}

const soughtBy = ({ key, coveredBy, usedSince }: KeyedDecision<never>): SoughtKey | null =>
  key && {
    digest: key.digest,
    ...(coveredBy !== undefined && { coveredBy }),
    ...(usedSince !== undefined && { usedSince }),
  };

const isWritten = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && !isRefusal(outcome) && !outcome.replayed && outcome.position !== null;

/** Undefined where the stream takes nothing more. */
function writtenOn(subjectId: string, outcome: StreamOutcome): Outcome | undefined {
  if (outcome.kind === 'closed') return undefined;
  if (outcome.kind === 'refused') return outcome.refusal;
  const { events, replayed } = outcome;
  return { answer: { subjectId, events }, position: events.at(-1)?.position ?? null, replayed };
}
