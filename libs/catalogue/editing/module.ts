import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Commands } from '../../commands/commands.js';
import { CatalogueStreamsModule } from './catalogue-stream.js';
import { ChangeCatalogueEditingHandler } from './change-editing.handler.js';
import { CatalogueSettingsController } from './settings.controller.js';

/** How operators edit a catalogue, in the role where they publish it. */
@Module({
  imports: [CqrsModule, CatalogueStreamsModule],
  controllers: [CatalogueSettingsController],
  providers: [Commands, ChangeCatalogueEditingHandler],
})
export class CatalogueEditingModule {}
