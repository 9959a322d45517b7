import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Commands } from '../../commands/commands.js';
import { CatalogueStreamsModule } from './catalogue-stream.js';
import { ChangeCatalogueEditingHandler } from './change-editing.handler.js';
import { FinishedDraftHandler } from './finished-draft.handler.js';
import { BannerPreviewController } from '../preview/preview.controller.js';
import { DraftDesk } from './draft-desk.js';
import { DraftTexts } from './draft-texts.js';
import { DraftController } from './draft.controller.js';
import { CatalogueVersionsController } from './versions.controller.js';
import { CatalogueSettingsController } from './settings.controller.js';

/** How operators edit a catalogue, in the role where they publish it. */
@Module({
  imports: [CqrsModule, CatalogueStreamsModule],
  controllers: [CatalogueSettingsController, DraftController, CatalogueVersionsController, BannerPreviewController],
  providers: [Commands, ChangeCatalogueEditingHandler, DraftDesk, DraftTexts, FinishedDraftHandler],
  exports: [DraftDesk],
})
export class CatalogueEditingModule {}
