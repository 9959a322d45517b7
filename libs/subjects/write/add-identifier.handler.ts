import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import {
  CLOCK,
  epochMs,
  isRefusal,
  newId,
  parseReference,
  Refused,
  type Clock,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { once, type Done } from '../../platform/idempotency/once.js';
import { idBytes } from '../../platform/id-bytes.js';
import type { AddIdentifierDto } from '../dto.js';
import type { CarryOver } from '../events.js';
import { SubjectLookup, writtenBy } from '../lookup.js';
import { subjectRefusals } from '../refusals.js';
import { familyOf, standingOf } from '../standing.js';
import { causeOf, type Cause } from './cause.js';
import { Merger } from './merger.js';
import { busy, Provider, wantedIdentifier, type ProvidedSubject, type WantedIdentifier } from './provider.js';
import { Resolver } from './resolver.js';
import { SubjectWorks, type SubjectWork } from './work.js';

const MOST_TRIES = 10;
const ANONYMOUS_KINDS: readonly string[] = ['visitor_id', 'device_id'];

/** Add an identifier to a subject; an anonymous visitor who turns out to be somebody is linked. */
export class AddIdentifier extends Command<Done<ProvidedSubject> & { replayed: boolean }> {
  constructor(
    readonly caller: Caller,
    readonly ref: string,
    readonly input: AddIdentifierDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

interface Addition {
  caller: Caller;
  wanted: WantedIdentifier;
  carryOver: CarryOver;
  digest: string | null;
  fingerprint: string;
  cause: Cause;
}

@CommandHandler(AddIdentifier)
export class AddIdentifierHandler implements ICommandHandler<AddIdentifier> {
  constructor(
    private readonly resolver: Resolver,
    private readonly provider: Provider,
    private readonly merger: Merger,
    private readonly works: SubjectWorks,
    private readonly lookup: SubjectLookup,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute({
    caller,
    ref,
    input,
    idempotencyKey,
  }: AddIdentifier): Promise<Done<ProvidedSubject> & { replayed: boolean }> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const wanted = wantedIdentifier(input, input.source ?? 'API', '');
    if (isRefusal(wanted)) throw new Refused({ ...wanted, issues: [{ path: 'value', message: wanted.message }] });
    const fingerprint = this.reservations.fingerprintOf('POST', `/v1/subjects/${ref}/identifiers`, input);
    return once(this.reservations, {
      scope: caller,
      idempotencyKey,
      fingerprint,
      replay: (digest) => this.replay(caller, reference, wanted, digest),
      carryOut: (digest) =>
        this.add(ref, {
          caller,
          wanted,
          carryOver: input.carryOver ?? 'IF_DENIED',
          digest,
          fingerprint,
          cause: causeOf(caller),
        }),
    });
  }

  private async add(ref: string, addition: Addition): Promise<Done<ProvidedSubject> | Refusal> {
    const { caller, wanted, digest, fingerprint, cause } = addition;
    // A link that was cut off is carried on as what it was: by now it would look like one that was there before.
    const begun = digest === null ? null : await this.works.findByKey(digest);
    const resumed = begun && (await this.carryOn(begun, addition));
    if (resumed && !(isRefusal(resumed) && resumed.code === 'merge_conflict')) return resumed;
    let lost: Refusal | null = null;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const subjectId = await this.resolver.resolve(caller, ref, 'ref');
      if (isRefusal(subjectId)) return subjectId;
      const owner = await this.resolver.find(caller, wanted.reference);
      if (isRefusal(owner)) return owner;
      if (owner !== null && owner !== subjectId) {
        const linked = await this.link(subjectId, owner, addition);
        if (!isRefusal(linked) || linked.code !== 'merge_conflict') return linked;
        // Somebody else may just have linked them.
        lost = linked;
        continue;
      }
      const becomesKnown =
        owner === null && !isAnonymousKind(wanted.reference.kind) && (await this.isAnonymous(caller, subjectId));
      if (becomesKnown) {
        // The person is a subject of their own, to whom only that is carried over which may be.
        const person = await this.provider.giveAll(caller, null, [wanted], [wanted], {}, null, fingerprint, cause);
        if (person && !isRefusal(person)) return this.link(person.answer.subject.id, subjectId, addition);
        if (isRefusal(person)) return person;
        continue;
      }
      const done = await this.provider.giveAll(
        caller,
        subjectId,
        owner === null ? [wanted] : [],
        [wanted],
        {},
        digest,
        fingerprint,
        cause,
      );
      if (done) return done;
    }
    return lost ?? busy();
  }

  /** One of the two must be an anonymous visitor; a person is never made another one this way. */
  private async link(subjectId: string, ownerId: string, addition: Addition): Promise<Done<ProvidedSubject> | Refusal> {
    const { caller, digest } = addition;
    const [targetId, visitorId] = (await this.isAnonymous(caller, ownerId))
      ? [subjectId, ownerId]
      : [ownerId, subjectId];
    if (!(await this.isAnonymous(caller, visitorId))) return subjectRefusals.identifierConflict('value');
    const id = newId('mrg', epochMs(this.clock()), idBytes);
    return this.carryOn(
      await this.works.begin({ id, kind: 'merge', scope: caller, subjects: [targetId, visitorId] }, digest),
      addition,
    );
  }

  private async carryOn(
    work: SubjectWork,
    { caller, carryOver, cause }: Addition,
  ): Promise<Done<ProvidedSubject> | Refusal> {
    const [target, ...sourceIds] = work.subjects;
    const done = await this.merger.merge(
      caller,
      {
        mergeId: work.id,
        targetId: target!,
        sourceIds,
        rule: { policy: 'MOST_RECENT', carryOver, mergedAt: this.clock() },
      },
      cause,
    );
    await this.works.finish(work.id);
    if (isRefusal(done)) return done;
    return this.linked(caller, work.id, target!, done.position);
  }

  private async linked(
    scope: Scope,
    mergeId: string,
    targetId: string,
    position: bigint | null,
  ): Promise<Done<ProvidedSubject>> {
    const [received] = await this.merger.received(scope, mergeId, targetId);
    return {
      answer: {
        subject: await this.lookup.view(scope, received!.subjectId, writtenBy(received!.event)),
        created: false,
      },
      position,
    };
  }

  private async replay(
    scope: Scope,
    reference: Parameters<Provider['replay']>[1],
    wanted: WantedIdentifier,
    digest: string,
  ): Promise<Done<ProvidedSubject> | null> {
    const work = await this.works.findByKey(digest);
    if (!work)
      return (
        (await this.provider.replay(scope, reference, digest)) ?? this.provider.replay(scope, wanted.reference, digest)
      );
    await this.resolver.refuseGone(scope, work.subjects[0]!);
    const done = await this.merger.answerOf(scope, work.id, work.subjects[0]!);
    return done && this.linked(scope, work.id, work.subjects[0]!, done.position);
  }

  /** A visitor of whom nothing is known but random ids. */
  private async isAnonymous(scope: Scope, subjectId: string): Promise<boolean> {
    const state = await this.lookup.stateOf(scope, subjectId);
    const others = await Promise.all(familyOf(standingOf(state)).map((id) => this.lookup.stateOf(scope, id)));
    return [state, ...others].every(({ identifiers }) => identifiers.every(({ kind }) => isAnonymousKind(kind)));
  }
}

const isAnonymousKind = (kind: string): boolean => ANONYMOUS_KINDS.includes(kind);
