import { defineContext } from '../context/define-context.js';
import { frameworkJournal } from './journal.js';
import { DecodeModule } from './decode/module.js';
import { DECODE_OPERATIONS } from './decode/operations.js';
import { GppModule } from './gpp/module.js';
import { GPP_OPERATIONS } from './gpp/operations.js';
import { FrameworksReadModule } from './read/module.js';
import { FRAMEWORK_OPERATIONS } from './read/operations.js';
import {
  VENDOR_LIST_CONTENT,
  VENDOR_LIST_EVENTS,
  VENDOR_LISTS_STREAM,
  type VendorListRefusedData,
  type VendorListTakenData,
} from './vendor-list/events.js';
import { VendorListDispatcherModule, VendorListReadModule } from './vendor-list/module.js';
import { VENDOR_LIST_OPERATIONS } from './vendor-list/operations.js';
import { CreateVendorListSources1763860000001 } from './vendor-list/source.migration.js';
import { AdoptVendorLists } from './vendor-list/write/adopt-lists.handler.js';
import { LoadVendorLists } from './vendor-list/write/load-lists.handler.js';

// What the composition uses by itself.
export { openProviders } from './vendor-list/open-providers.js';
export { PROVIDER_LIST, type ProviderList } from './vendor-list/providers.js';
export { UPSTREAM_ALLOWED } from './vendor-list/write/list-sources.js';
export { LIST_SETTINGS, type ListSettings } from './vendor-list/write/sources.js';

/**
 * A subject's choices as strings for ad tech and Google, made from the effective state alone, so that they never
 * contradict it.
 */
export const frameworksContext = defineContext({
  name: 'frameworks',
  journal: frameworkJournal,
  events: VENDOR_LIST_EVENTS,
  streams: [
    { name: VENDOR_LISTS_STREAM, of: 'INSTALLATION' },
    { name: VENDOR_LIST_CONTENT, of: 'INSTALLATION', about: /[0-9a-f]{64}/ },
  ],
  counted: [
    {
      type: 'VendorListTaken',
      metric: 'assent_vendor_lists_taken_total',
      help: 'Vendor lists that were taken into use.',
      labels: ['from'],
      of: ({ from }: VendorListTakenData) => ({ from }),
    },
    {
      type: 'VendorListRefused',
      metric: 'assent_vendor_lists_refused_total',
      help: 'Vendor lists that were refused, by the reason; the one before stays in use.',
      labels: ['reason'],
      of: ({ reason }: VendorListRefusedData) => ({ reason }),
    },
  ],
  operations: [...FRAMEWORK_OPERATIONS, ...GPP_OPERATIONS, ...DECODE_OPERATIONS, ...VENDOR_LIST_OPERATIONS],
  headings: { Frameworks: 'What the subject chose, in the strings that ad tech and Google read.' },
  migrations: [CreateVendorListSources1763860000001],
  chores: [
    // Addresses are due after a minute at the earliest, files after half of one.
    { name: 'vendor lists to look for', everyMs: 10_000, command: () => new LoadVendorLists() },
    { name: 'vendor lists to adopt', everyMs: 5_000, command: () => new AdoptVendorLists() },
  ],
  modules: {
    'read-api': [FrameworksReadModule, GppModule, DecodeModule, VendorListReadModule],
    dispatcher: [VendorListDispatcherModule],
  },
});
