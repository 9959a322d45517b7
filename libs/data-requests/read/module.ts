import { Module } from '@nestjs/common';
import { ArchiveLinks } from '../archive/archive-links.js';
import { ArchiveRows } from '../archive/archive-rows.js';
import { ArchivePageController } from '../archive/page.controller.js';
import { DataRequestStreamsModule } from '../streams.module.js';
import { ListedDataRequestsController } from './controllers.js';
import { Families } from './families.js';
import { RequestLists } from './request-lists.js';

@Module({
  imports: [DataRequestStreamsModule],
  controllers: [ListedDataRequestsController, ArchivePageController],
  providers: [RequestLists, Families, ArchiveLinks, ArchiveRows],
  exports: [RequestLists],
})
export class DataRequestsReadModule {}
