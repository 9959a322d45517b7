import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CatalogueReadController } from './controller.js';
import { GetPurposesHandler } from './get-purposes.handler.js';

@Module({ imports: [CqrsModule], controllers: [CatalogueReadController], providers: [GetPurposesHandler] })
export class CatalogueReadModule {}
