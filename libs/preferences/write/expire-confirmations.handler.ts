import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, uuidV5, type Clock, type Scope } from '../../kernel/index.js';
import { expireConfirmations } from '../decide.js';
import type { PreferenceConfirmationExpiredData } from '../events.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** Record which requests of a subject were not confirmed in time. Running it twice is running it once. */
export class ExpireConfirmations extends Command<void> {
  constructor(
    readonly scope: Scope,
    readonly subjectId: string,
  ) {
    super();
  }
}

@CommandHandler(ExpireConfirmations)
export class ExpireConfirmationsHandler implements ICommandHandler<ExpireConfirmations> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, subjectId }: ExpireConfirmations): Promise<void> {
    const at = this.clock();
    const idOf = ({ data }: { data: unknown }): string =>
      uuidV5(`expired/${(data as PreferenceConfirmationExpiredData).requestId}`);
    // Refused only where the subject was erased or merged meanwhile: then nothing of it expires here.
    await this.writer.write(
      { scope, reference: { kind: 'subject', value: subjectId } },
      { key: null, decide: (state) => expireConfirmations(state, at), idOf },
      { actor: 'system:expiry', at },
    );
  }
}
