import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { IdempotentRequests } from '../../access/index.js';
import { ApplyCatalogueHandler } from './apply-catalogue.handler.js';
import { CatalogueWriteController } from './controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [CatalogueWriteController],
  providers: [ApplyCatalogueHandler, IdempotentRequests],
})
export class CatalogueWriteModule {}
