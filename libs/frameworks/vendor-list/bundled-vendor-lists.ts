import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/index.js';
import type { GlobalVendorList } from './gvl.js';
import { SYNTHETIC_LISTS } from './synthetic-list.js';
import { VendorLists, type VendorList } from './vendor-lists.js';

/** Nothing but the synthetic lists. */
export class BundledVendorLists extends VendorLists {
  private readonly lists = SYNTHETIC_LISTS.map(syntheticList);

  async inUse(): Promise<VendorList> {
    return this.lists.at(-1)!;
  }

  async byVersion(version: number): Promise<VendorList | null> {
    return this.lists.find((list) => list.version === version) ?? null;
  }
}

const syntheticList = (content: GlobalVendorList): VendorList => ({
  version: content.vendorListVersion,
  digest: createHash('sha256').update(canonicalJson(content)).digest('hex'),
  isSynthetic: true,
  content,
});
