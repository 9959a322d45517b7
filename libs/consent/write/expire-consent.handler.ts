import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, happened, isRefusal, uuidV5, type Clock, type DomainEvent, type Scope } from '../../kernel/index.js';
import { expireConsent } from '../decide.js';
import { CONSENT_WRITER, type ConsentWriter } from './record-request.js';

/** Say in the log which grants of a subject have run out. Running it twice is running it once. */
export class ExpireConsent extends Command<void> {
  constructor(
    readonly scope: Scope,
    readonly subjectId: string,
  ) {
    super();
  }
}

@CommandHandler(ExpireConsent)
export class ExpireConsentHandler implements ICommandHandler<ExpireConsent> {
  constructor(
    @Inject(CONSENT_WRITER) private readonly writer: ConsentWriter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, subjectId }: ExpireConsent): Promise<void> {
    const at = this.clock();
    const idOf = ({ data }: DomainEvent): string => uuidV5(`expired/${(data as { recordId: string }).recordId}`);
    // Refused only where the subject was erased or merged meanwhile: then nothing of it expires here.
    await this.writer.write(
      { scope, reference: { kind: 'subject', value: subjectId } },
      {
        key: null,
        decide: (state) => {
          const decided = Object.keys(state.purposes).map((purpose) => expireConsent(purpose, state, at));
          return happened(...decided.flatMap((decision) => (isRefusal(decision) ? [] : decision.events)));
        },
        idOf,
      },
      { actor: 'system:expiry', at },
    );
  }
}
