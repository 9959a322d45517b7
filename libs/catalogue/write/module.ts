import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Commands } from '../../commands/commands.js';
import { CatalogueStreamsModule } from '../editing/catalogue-stream.js';
import { ApplyCatalogueHandler } from './apply-catalogue.handler.js';
import { CatalogueWriteController } from './controller.js';

@Module({
  imports: [CqrsModule, CatalogueStreamsModule],
  controllers: [CatalogueWriteController],
  providers: [ApplyCatalogueHandler, Commands],
})
export class CatalogueWriteModule {}
