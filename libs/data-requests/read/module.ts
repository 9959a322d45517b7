import { Module } from '@nestjs/common';
import { ArchiveLinks } from '../archive/archive-links.js';
import { ArchiveRows } from '../archive/archive-rows.js';
import { ArchivePageController } from '../archive/page.controller.js';
import { DataRequestStreamsModule } from '../streams.module.js';
import { ListedDataRequestsController, SiteListedDataRequestsController } from './controllers.js';
import { Families } from './families.js';
import { RequestLists } from './request-lists.js';

@Module({ imports: [DataRequestStreamsModule], providers: [RequestLists, Families], exports: [RequestLists] })
class RequestListsModule {}

@Module({
  imports: [RequestListsModule, DataRequestStreamsModule],
  controllers: [ListedDataRequestsController, ArchivePageController],
  providers: [ArchiveLinks, ArchiveRows],
})
export class DataRequestsReadModule {}

/** For operators, whose paths lead to the role that writes. */
@Module({ imports: [RequestListsModule, DataRequestStreamsModule], controllers: [SiteListedDataRequestsController] })
export class SiteDataRequestsReadModule {}
