import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefusal, referenceText, Refused } from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { once, type Done } from '../../platform/idempotency/once.js';
import type { CreateSubjectDto } from '../dto.js';
import { causeOf } from './cause.js';
import { Provider, wantedIdentifier, type ProvidedSubject, type WantedIdentifier } from './provider.js';

/** Make a subject, or find the one that the identifiers name. */
export class CreateSubject extends Command<Done<ProvidedSubject> & { replayed: boolean }> {
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
    private readonly provider: Provider,
    private readonly reservations: IdempotencyReservations,
  ) {}

  execute({ caller, input, idempotencyKey }: CreateSubject): Promise<Done<ProvidedSubject> & { replayed: boolean }> {
    const { identifiers, source = 'API', ...about } = input;
    const wanted = new Map<string, WantedIdentifier>();
    for (const [i, identifier] of identifiers.entries()) {
      const read = wantedIdentifier(identifier, source, `identifiers[${i}]`);
      if (isRefusal(read)) throw new Refused(read);
      if (!wanted.has(referenceText(read.reference))) wanted.set(referenceText(read.reference), read);
    }
    const all = [...wanted.values()];
    const fingerprint = this.reservations.fingerprintOf('POST', '/v1/subjects', input);
    return once(this.reservations, {
      scope: caller,
      idempotencyKey,
      fingerprint,
      replay: (digest) => this.provider.replay(caller, all[0]!.reference, digest),
      carryOut: (digest) => this.provider.provide(caller, all, about, digest, fingerprint, causeOf(caller)),
    });
  }
}
