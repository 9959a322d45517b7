import { Module } from '@nestjs/common';
import { BundledVendorLists } from './bundled-vendor-lists.js';
import { PROVIDER_LIST } from './providers.js';
import { SYNTHETIC_PROVIDERS } from './synthetic-providers.js';
import { VendorLists } from './vendor-lists.js';

/** The vendor lists and the list of providers, for all that makes strings of them. */
@Module({
  providers: [
    { provide: VendorLists, useClass: BundledVendorLists },
    { provide: PROVIDER_LIST, useValue: SYNTHETIC_PROVIDERS },
  ],
  exports: [VendorLists, PROVIDER_LIST],
})
export class VendorListModule {}
