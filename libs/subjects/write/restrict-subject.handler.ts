import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  CLOCK,
  isRefusal,
  parseInstant,
  parseReference,
  Refused,
  type Clock,
  type Decision,
  type DomainEvent,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { answered, type Repeatable } from '../../commands/once.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { liftRestriction, restrict } from '../decide.js';
import type { LiftRestrictionDto, RestrictSubjectDto } from '../dto.js';
import { SubjectLookup, writtenBy } from '../lookup.js';
import type { WholeState } from '../parts.js';
import type { SubjectState } from '../state.js';
import { WHOLE_WRITER } from '../tokens.js';
import type { SubjectView } from '../view.js';
import { causeOf, type SubjectWriter } from '../writer.js';

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
type Answer = Repeatable<SubjectView>;

abstract class RestrictionHandler {
  constructor(
    @Inject(WHOLE_WRITER) private readonly writer: SubjectWriter<WholeState>,
    private readonly lookup: SubjectLookup,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  protected async change(
    { caller, ref, input, idempotencyKey }: RestrictSubject | LiftRestriction,
    what: string,
    decide: Decide,
  ): Promise<Answer> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const at = this.clock();
    const key = this.reservations.keyOf(
      keyScopeOf(caller, [reference]),
      idempotencyKey,
      'POST',
      `/v1/subjects/${ref}/${what}`,
      input,
    );
    const written = await this.writer.write(
      { scope: caller, reference, mustBeKnown: 'ref' },
      { key, decide: ({ subject }) => decide(subject, at) },
      causeOf(caller, at),
    );
    const { answer, position, replayed } = answered(written);
    const last = answer.events.at(-1);
    const view = await this.lookup.view(caller, answer.subjectId, last && writtenBy(last));
    return { answer: view, position, replayed };
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
