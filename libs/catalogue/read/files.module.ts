import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CatalogueStreamsModule } from '../editing/catalogue-stream.js';
import { CatalogueFilesController } from './files.controller.js';
import { GetCatalogueFilesHandler } from './get-catalogue-files.handler.js';

/** The catalogue as files, for operators; in the role where they publish it. */
@Module({
  imports: [CqrsModule, CatalogueStreamsModule],
  controllers: [CatalogueFilesController],
  providers: [GetCatalogueFilesHandler],
})
export class CatalogueFilesModule {}
