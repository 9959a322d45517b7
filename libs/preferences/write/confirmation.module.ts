import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreferenceStreamsModule } from '../streams.module.js';
import { ConfirmPreferencesHandler } from './confirm-preferences.handler.js';
import { ConfirmationMails } from './confirmation-mails.js';
import { ConfirmationController } from './confirmation.controller.js';
import { ExpireConfirmationsHandler } from './expire-confirmations.handler.js';
import { preferenceWriter } from './preference-writer.js';
import { RequestConfirmationHandler } from './request-confirmation.handler.js';
import { MakeUnsubscribeLinkHandler } from './unsubscribe-link.handler.js';
import { UndoHandler } from './undo.handler.js';
import { UnsubscribeHandler } from './unsubscribe.handler.js';

/** Double opt-in and unsubscribing; needs the PreferenceLinksModule beside it. */
@Module({
  imports: [CqrsModule, PreferenceStreamsModule],
  controllers: [ConfirmationController],
  providers: [
    preferenceWriter,
    ConfirmationMails,
    RequestConfirmationHandler,
    ConfirmPreferencesHandler,
    UnsubscribeHandler,
    UndoHandler,
    MakeUnsubscribeLinkHandler,
    ExpireConfirmationsHandler,
  ],
  exports: [ConfirmationMails],
})
export class ConfirmationModule {}
