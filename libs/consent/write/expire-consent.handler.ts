import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Stream } from '../../event-log/stream.js';
import { CLOCK, isRefusal, subjectStream, uuidV5, type Clock, type Scope } from '../../kernel/index.js';
import { expireConsent } from '../decide.js';
import { standingOf } from '../../subjects/index.js';
import { CONSENT_STREAMS, type ConsentState, type FoldedByConsent } from '../state.js';

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
    @Inject(CONSENT_STREAMS) private readonly streams: Stream<ConsentState, FoldedByConsent>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, subjectId }: ExpireConsent): Promise<void> {
    await this.streams.execute(subjectStream(scope, subjectId), undefined, ({ state }) => {
      const at = this.clock();
      if (standingOf(state).merged) return { append: [], answer: () => undefined };
      const decided = Object.keys(state.purposes).map((purpose) => expireConsent(purpose, state, at));
      const events = decided.flatMap((decision) => (isRefusal(decision) ? [] : decision.events));
      const append = events.map((event) => ({
        event,
        id: uuidV5(`expired/${(event.data as { recordId: string }).recordId}`),
        metadata: { actor: 'system:expiry', recordedAt: at },
      }));
      return { append, answer: () => undefined };
    });
  }
}
