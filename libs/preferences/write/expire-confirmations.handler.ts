import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { uuidV5, type Scope } from '../../kernel/index.js';
import { expireConfirmations } from '../decide.js';
import type { PreferenceConfirmationExpiredData } from '../events.js';
import { PreferenceWriter } from './writer.js';

/** Say in the log which requests of a subject nobody came for. Running it twice is running it once. */
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
  constructor(private readonly writer: PreferenceWriter) {}

  async execute({ scope, subjectId }: ExpireConfirmations): Promise<void> {
    const at = this.writer.clock();
    const idOf = ({ data }: { data: unknown }): string =>
      uuidV5(`expired/${(data as PreferenceConfirmationExpiredData).requestId}`);
    // Refused is only what is nobody's any more: there is nothing left to say of it.
    await this.writer.write(scope, { kind: 'subject', value: subjectId }, (state) => expireConfirmations(state, at), {
      actor: 'system:expiry',
      at,
      idOf,
    });
  }
}
