import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreferenceStreamsModule } from '../streams.module.js';
import { GetConfirmPageHandler, GetUnsubscribePageHandler } from './link-pages.handler.js';

/** Knows what stands behind a link, for the pages; needs the PreferenceLinksModule beside it. */
@Module({
  imports: [CqrsModule, PreferenceStreamsModule],
  providers: [GetConfirmPageHandler, GetUnsubscribePageHandler],
})
export class LinkPagesModule {}
