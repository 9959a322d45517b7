import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CatalogueReadController } from './controller.js';
import { CookiesReadController } from './cookies.controller.js';
import { GetCookiesHandler } from './get-cookies.handler.js';
import { GetPurposesHandler } from './get-purposes.handler.js';
import { GetTemplateHandler } from './get-template.handler.js';
import { TemplateReadController } from './template.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [CatalogueReadController, TemplateReadController, CookiesReadController],
  providers: [GetPurposesHandler, GetTemplateHandler, GetCookiesHandler],
})
export class CatalogueReadModule {}
