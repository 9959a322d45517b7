import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ShownBanners } from '../banner/shown-banners.js';
import { CatalogueReadController } from './controller.js';
import { BannerReadController } from './banner.controller.js';
import { CookiesReadController } from './cookies.controller.js';
import { GetBannerManifestHandler } from './get-banner-manifest.handler.js';
import { GetBannerHandler } from './get-banner.handler.js';
import { GetCookiesHandler } from './get-cookies.handler.js';
import { GetNoticeHandler } from './get-notice.handler.js';
import { GetPurposesHandler } from './get-purposes.handler.js';
import { GetTemplateHandler } from './get-template.handler.js';
import { NoticeReadController } from './notice.controller.js';
import { TemplateReadController } from './template.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [
    CatalogueReadController,
    TemplateReadController,
    CookiesReadController,
    BannerReadController,
    NoticeReadController,
  ],
  providers: [
    ShownBanners,
    GetPurposesHandler,
    GetTemplateHandler,
    GetCookiesHandler,
    GetBannerHandler,
    GetBannerManifestHandler,
    GetNoticeHandler,
  ],
})
export class CatalogueReadModule {}
