import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Happened, Intent, Stream } from '../../event-log/stream.js';
import {
  CLOCK,
  isRefusal,
  parseInstant,
  parseReference,
  Refused,
  subjectStream,
  uuidV5,
  type Clock,
  type Decision,
  type DomainEvent,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { once, type Done } from '../../platform/idempotency/once.js';
import { Vault } from '../../platform/vault/vault.js';
import { liftRestriction, restrict } from '../decide.js';
import type { LiftRestrictionDto, RestrictSubjectDto } from '../dto.js';
import { SubjectLookup, writtenBy } from '../lookup.js';
import type { WholeState } from '../parts.js';
import { isClosed } from '../standing.js';
import type { SubjectState } from '../state.js';
import { WHOLE_STREAMS } from '../tokens.js';
import type { SubjectView } from '../view.js';
import { causeOf } from './cause.js';
import { busy, Provider } from './provider.js';
import { Resolver } from './resolver.js';

/** Rivals that merge a subject away while it is written to are few. */
const MOST_TRIES = 10;

/** Lay a hold on a subject, or lift it. */
export class RestrictSubject extends Command<Answer> {
  constructor(
    readonly caller: Caller,
    readonly ref: string,
    readonly input: RestrictSubjectDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}
export class LiftRestriction extends Command<Answer> {
  constructor(
    readonly caller: Caller,
    readonly ref: string,
    readonly input: LiftRestrictionDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

type Decide = (state: SubjectState, at: Instant) => Decision<DomainEvent> | Refusal;
type Answer = Done<SubjectView> & { replayed: boolean };

abstract class RestrictionHandler {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: Stream<WholeState, DomainEvent>,
    private readonly resolver: Resolver,
    private readonly provider: Provider,
    private readonly lookup: SubjectLookup,
    private readonly vault: Vault,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  protected change(
    { caller, ref, input, idempotencyKey }: RestrictSubject | LiftRestriction,
    what: string,
    decide: Decide,
  ): Promise<Answer> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const fingerprint = this.reservations.fingerprintOf('POST', `/v1/subjects/${ref}/${what}`, input);
    return once<SubjectView>(this.reservations, {
      scope: caller,
      idempotencyKey,
      fingerprint,
      replay: async (digest) => {
        const first = await this.provider.replay(caller, reference, digest);
        return first && { answer: first.answer.subject, position: first.position };
      },
      carryOut: (digest) => this.carryOut(caller, ref, decide, digest, fingerprint),
    });
  }

  private async carryOut(
    caller: Caller,
    ref: string,
    decide: Decide,
    digest: string | null,
    fingerprint: string,
  ): Promise<Done<SubjectView> | Refusal> {
    const { requestId, actor } = causeOf(caller);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const subjectId = await this.resolver.resolve(caller, ref, 'ref');
      if (isRefusal(subjectId)) return subjectId;
      const written = await this.streams.execute<Happened<DomainEvent> | null | 'closed'>(
        subjectStream(caller, subjectId),
        await this.vault.cipherOf(subjectId),
        ({ state }) => {
          if (isClosed(state.subject)) return { append: [], answer: () => 'closed' as const };
          const at = this.clock();
          const decided = decide(state.subject, at);
          if (isRefusal(decided)) return decided;
          const metadata = {
            requestId,
            actor,
            recordedAt: at,
            ...(digest !== null && { idempotencyKey: digest, fingerprint }),
          };
          const append = decided.events.map((event, i): Intent => ({
            event,
            id: digest === null ? randomUUID() : uuidV5(`${digest}/${i}`),
            metadata,
          }));
          return { append, answer: (happened) => happened.at(-1) ?? null };
        },
      );
      if (isRefusal(written)) return written;
      if (written !== 'closed')
        return {
          answer: await this.lookup.view(caller, subjectId, written ? writtenBy(written) : undefined),
          position: written?.position ?? null,
        };
    }
    return busy();
  }
}

@CommandHandler(RestrictSubject)
export class RestrictSubjectHandler extends RestrictionHandler implements ICommandHandler<RestrictSubject> {
  execute(command: RestrictSubject): Promise<Answer> {
    const { until, reason } = command.input;
    return this.change(command, 'restrict', (state, at) =>
      restrict(until === undefined ? null : parseInstant(until)!, reason, state, at),
    );
  }
}

@CommandHandler(LiftRestriction)
export class LiftRestrictionHandler extends RestrictionHandler implements ICommandHandler<LiftRestriction> {
  execute(command: LiftRestriction): Promise<Answer> {
    return this.change(command, 'lift-restriction', (state, at) => liftRestriction(command.input.reason, state, at));
  }
}
