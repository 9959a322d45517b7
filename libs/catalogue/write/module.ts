import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Commands } from '../../commands/commands.js';
import { ApplyCatalogueHandler } from './apply-catalogue.handler.js';
import { CatalogueWriteController } from './controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [CatalogueWriteController],
  providers: [ApplyCatalogueHandler, Commands],
})
export class CatalogueWriteModule {}
