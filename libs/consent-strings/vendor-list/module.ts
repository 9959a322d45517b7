import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { VendorListController } from './read/controller.js';
import { GetVendorListHandler } from './read/get-list.handler.js';
import { StoredVendorLists } from './stored-vendor-lists.js';
import { VendorLists } from './vendor-lists.js';
import { AdoptVendorListsHandler } from './write/adopt-lists.handler.js';
import { ListSources } from './write/list-sources.js';
import { LoadVendorListsHandler } from './write/load-lists.handler.js';
import { VendorListRegister } from './write/register.js';

/** Provides the vendor lists to the modules that make strings. */
@Module({ providers: [{ provide: VendorLists, useClass: StoredVendorLists }], exports: [VendorLists] })
export class VendorListModule {}

@Module({
  imports: [CqrsModule, VendorListModule],
  controllers: [VendorListController],
  providers: [GetVendorListHandler],
})
export class VendorListReadModule {}

/** Looks for new lists, and makes sites adopt them. */
@Module({
  imports: [CqrsModule, VendorListModule],
  providers: [ListSources, VendorListRegister, LoadVendorListsHandler, AdoptVendorListsHandler],
})
export class VendorListDispatcherModule {}
