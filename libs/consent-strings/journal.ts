import { defineJournal } from '../context/journal.js';
import type { VendorListEvent, VendorListKept } from './vendor-list/events.js';

/** The service takes lists by itself. */
export const frameworkJournal = defineJournal<VendorListEvent | VendorListKept>({
  VendorListTaken: null,
  VendorListRefused: null,
  VendorListTextsTaken: null,
  VendorListKept: null,
});
