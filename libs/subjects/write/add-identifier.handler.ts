import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import {
  ANONYMOUS_KINDS,
  CLOCK,
  isRefusal,
  parseReference,
  Refused,
  type Clock,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { once, type Done, type Repeatable } from '../../commands/once.js';
import type { AddIdentifierDto } from '../dto.js';
import type { CarryOver } from '../events.js';
import { Vault } from '../../vault/vault.js';
import { SubjectLookup, writtenBy } from '../lookup.js';
import { subjectRefusals } from '../refusals.js';
import { familyOf, standingOf } from '../standing.js';
import { causeOf, type Target } from '../writer.js';
import { Merger } from './merger.js';
import {
  SubjectRegistrar,
  wantedIdentifier,
  type RegisteredSubject,
  type Registration,
  type WantedIdentifier,
} from './registrar.js';
import { Resolver } from './resolver.js';
import { MOVED, untilSettled } from './until-settled.js';
import { Works, type Work } from '../../commands/works.js';

/** Add an identifier to a subject; an anonymous visitor who turns out to be a known person is linked. */
export class AddIdentifier extends Command<Repeatable<RegisteredSubject>> {
  constructor(
    readonly caller: Caller,
    readonly ref: string,
    readonly input: AddIdentifierDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

interface Addition extends Registration {
  wanted: WantedIdentifier;
  carryOver: CarryOver;
}

type Outcome = Done<RegisteredSubject> | Refusal | typeof MOVED;

@CommandHandler(AddIdentifier)
export class AddIdentifierHandler implements ICommandHandler<AddIdentifier> {
  /** Links on their way, by the two that they make one. */
  private readonly linking = new Map<string, Promise<Outcome>>();

  constructor(
    private readonly resolver: Resolver,
    private readonly registrar: SubjectRegistrar,
    private readonly merger: Merger,
    private readonly works: Works,
    private readonly lookup: SubjectLookup,
    private readonly vault: Vault,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, ref, input, idempotencyKey }: AddIdentifier): Promise<Repeatable<RegisteredSubject>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const wanted = wantedIdentifier(input, input.source ?? 'API', caller, '');
    if (isRefusal(wanted)) throw new Refused({ ...wanted, issues: [{ path: 'value', message: wanted.message }] });
    const fingerprint = this.reservations.fingerprintOf('POST', `/v1/subjects/${ref}/identifiers`, input);
    const at = this.clock();
    // The owner may be a subject that this request makes. An erasure of either of the two closes the key for both.
    const [subject, owner] = await Promise.all(
      [reference, wanted.reference].map((each) => this.registrar.nameOf(caller, [each], at)),
    );
    // An id that no subject has yet need not be reserved.
    const reservedFor = [...new Set([subject!, owner!].flatMap((each) => (each.isNew ? [] : [each.subjectId])))];
    return once(this.reservations, {
      scope: keyScopeOf(caller, [reference, wanted.reference]),
      idempotencyKey,
      fingerprint,
      subjects: [subject!.subjectId, owner!.subjectId],
      replay: (digest) => this.replay({ scope: caller, reference }, wanted, digest),
      carryOut: (digest, resumed, { subjects: [, subjectId = owner!.subjectId], rename }) =>
        this.add(ref, {
          scope: caller,
          wanted,
          carryOver: input.carryOver ?? 'IF_DENIED',
          key: digest === null ? null : { digest, fingerprint },
          cause: { ...causeOf(caller, at), ...(digest !== null && { reservedFor }) },
          named: { ...owner!, subjectId },
          rename,
          resumed,
        }),
    });
  }

  private async add(ref: string, addition: Addition): Promise<Done<RegisteredSubject> | Refusal> {
    const { scope, wanted, key } = addition;
    // A link that was cut off is carried on as what it was: by now it would look like one that was there before.
    const begun = key && (await this.works.findByKey(key.digest));
    const resumed = begun && (await this.carryOn(begun, addition));
    if (resumed && !(isRefusal(resumed) && resumed.code === 'merge_conflict')) return resumed;
    let lost: Refusal | null = null;
    return untilSettled<Done<RegisteredSubject> | Refusal>(
      async () => {
        const subjectId = await this.resolver.resolve(scope, ref, 'ref');
        if (isRefusal(subjectId)) return subjectId;
        const owner = await this.resolver.find(scope, wanted.reference);
        if (isRefusal(owner)) return owner;
        if (owner !== null && owner !== subjectId)
          return this.oneOfMany(subjectId, owner, async () => {
            const linked = await this.link(subjectId, owner, addition);
            if (!isRefusal(linked)) return linked;
            // Another request may just have linked them.
            if (linked.code !== 'merge_conflict' && !(await this.resolver.areOne(scope, subjectId, owner)))
              return linked;
            lost = linked;
            return MOVED;
          });
        if (owner === null && !isAnonymousKind(wanted.reference.kind) && (await this.isAnonymous(scope, subjectId)))
          return this.becomeKnown(addition);
        return this.registrar.give(addition, subjectId, { free: owner === null ? [wanted] : [], all: [wanted] }, {});
      },
      () => lost ?? subjectRefusals.contended(),
    );
  }

  /** The person is a subject of their own, which the visitor is linked to next: only that is carried over which may be. */
  private async becomeKnown({ wanted, ...addition }: Addition): Promise<Refusal | typeof MOVED> {
    const person = await this.registrar.give({ ...addition, key: null }, null, { free: [wanted], all: [wanted] }, {});
    return person !== MOVED && isRefusal(person) ? person : MOVED;
  }

  /**
   * Of many who would link the same two at once, such as all tabs of a person who logs in, one does. The others wait for
   * it, then look where both stand by now; they are refused with it where an engine does not answer. Each would need
   * thirty answers of the log, and all together could keep each other from having them in time.
   */
  private async oneOfMany(one: string, other: string, link: () => Promise<Outcome>): Promise<Outcome> {
    const both = [one, other].toSorted().join();
    const before = this.linking.get(both);
    // What refused the one before may not be so for this one.
    if (before && !isRefusal(await before)) return MOVED;
    const own = link();
    this.linking.set(both, own);
    try {
      return await own;
    } finally {
      if (this.linking.get(both) === own) this.linking.delete(both);
    }
  }

  /** One of the two must be an anonymous visitor; a person is never made another one this way. */
  private async link(
    subjectId: string,
    ownerId: string,
    addition: Addition,
  ): Promise<Done<RegisteredSubject> | Refusal> {
    const { scope, key } = addition;
    const [targetId, visitorId] = (await this.isAnonymous(scope, ownerId))
      ? [subjectId, ownerId]
      : [ownerId, subjectId];
    if (!(await this.isAnonymous(scope, visitorId))) return subjectRefusals.identifierConflict('value');
    return this.carryOn(await this.merger.begin(scope, [targetId, visitorId], key), addition);
  }

  private async carryOn(
    work: Work,
    { scope, carryOver, cause, key }: Addition,
  ): Promise<Done<RegisteredSubject> | Refusal> {
    const [target, ...sourceIds] = work.subjects;
    const done = await this.merger.merge(
      scope,
      {
        mergeId: work.id,
        targetId: target!,
        sourceIds,
        rule: { policy: 'MOST_RECENT', carryOver, mergedAt: this.clock() },
      },
      key ? { ...cause, request: key } : cause,
    );
    await this.works.finish(work.id);
    if (isRefusal(done)) return done;
    return this.linked(scope, work.id, target!, done.position);
  }

  private async linked(
    scope: Scope,
    mergeId: string,
    targetId: string,
    position: bigint | null,
  ): Promise<Done<RegisteredSubject>> {
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
    target: Target,
    wanted: WantedIdentifier,
    digest: string,
  ): Promise<Done<RegisteredSubject> | Refusal | null> {
    const { scope } = target;
    const work = await this.works.findByKey(digest);
    if (!work)
      return (
        (await this.registrar.replay(target, digest)) ??
        this.registrar.replay({ scope, reference: wanted.reference }, digest)
      );
    await this.resolver.refuseGone(scope, work.subjects[0]!);
    const done = await this.merger.answerOf(scope, work.id, work.subjects[0]!);
    return done && this.linked(scope, work.id, work.subjects[0]!, done.position);
  }

  /** A visitor of whom nothing is known but random ids. The vault knows of them before the log does. */
  private async isAnonymous(scope: Scope, subjectId: string): Promise<boolean> {
    const family = familyOf(standingOf(await this.lookup.stateOf(scope, subjectId)));
    const known = await Promise.all([subjectId, ...family].map((id) => this.vault.identifiersOf(id)));
    return known.flat().every(({ kind }) => isAnonymousKind(kind));
  }
}

const isAnonymousKind = (kind: string): boolean => ANONYMOUS_KINDS.includes(kind);
