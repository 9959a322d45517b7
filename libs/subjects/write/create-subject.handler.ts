import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import { CLOCK, countryOf, isRefusal, referenceText, Refused, type Clock, type Refusal } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { once, type Repeatable } from '../../commands/once.js';
import type { CreateSubjectDto } from '../dto.js';
import { causeOf } from '../writer.js';
import { SubjectRegistrar, wantedIdentifier, type RegisteredSubject, type WantedIdentifier } from './registrar.js';

/** Make a subject, or find the one that the identifiers name. */
export class CreateSubject extends Command<Repeatable<RegisteredSubject>> {
  constructor(
    readonly caller: Caller,
    readonly input: CreateSubjectDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

@CommandHandler(CreateSubject)
export class CreateSubjectHandler implements ICommandHandler<CreateSubject> {
  constructor(
    private readonly registrar: SubjectRegistrar,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey }: CreateSubject): Promise<Repeatable<RegisteredSubject>> {
    const { identifiers, source = 'API', country, ...rest } = input;
    const about = { ...rest, ...(country !== undefined && { country: countryOf(country)! }) };
    const wanted = new Map<string, WantedIdentifier>();
    const refusals: Refusal[] = [];
    for (const [i, identifier] of identifiers.entries()) {
      const read = wantedIdentifier(identifier, source, caller, `identifiers[${i}]`);
      if (isRefusal(read)) refusals.push(read);
      else if (!wanted.has(referenceText(read.reference))) wanted.set(referenceText(read.reference), read);
    }
    // All of them at once, under the code of the first.
    if (refusals.length > 0) throw new Refused({ ...refusals[0]!, issues: refusals.flatMap(({ issues }) => issues) });
    const all = [...wanted.values()];
    const fingerprint = this.reservations.fingerprintOf('POST', '/v1/subjects', input);
    const at = this.clock();
    const references = all.map(({ reference }) => reference);
    const named = await this.registrar.nameOf(caller, references, at);
    return once(this.reservations, {
      scope: keyScopeOf(caller, references),
      idempotencyKey,
      fingerprint,
      subjects: [named.subjectId],
      replay: (digest) => this.registrar.replay({ scope: caller, reference: all[0]!.reference }, digest),
      carryOut: (digest, resumed, { subjects: [subjectId = named.subjectId], rename }) =>
        this.registrar.register(
          {
            scope: caller,
            key: digest === null ? null : { digest, fingerprint },
            cause: causeOf(caller, at),
            named: { ...named, subjectId },
            rename,
            resumed,
          },
          all,
          about,
        ),
    });
  }
}
