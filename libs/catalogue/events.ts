import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Instant } from '../kernel/index.js';
import type { DocumentPublishedData } from './document.js';
import { DOCUMENTS, type DefinitionOf, type DocumentName, type KindOf } from './documents.js';
import type { CHANGE_KINDS, PurposeDefinition } from './purpose-definition.js';
import type { VendorListAdoptedData } from './adopted-list.js';
import type { Approval, CatalogueEditingChanged } from './editing/settings.js';

export * from './purpose-definition.js';
export type { AdoptedVendorList, ExtendedVendor, VendorListAdoptedData } from './adopted-list.js';

export interface PurposePublishedData {
  definition: PurposeDefinition;
  version: number;
  change: { from: number | null; kind: (typeof CHANGE_KINDS)[number]; summary: string };
  /** SHA-256 of the canonical definition, `sha256:<hex>`. A file with the same hash changes nothing. */
  definitionHash: string;
  effectiveFrom: Instant;
  publishedAt: Instant;
}

export interface PurposeRetiredData {
  key: string;
  version: number;
  retiredAt: Instant;
}

/** Stands before the events that publish the draft, in the same append. It proves whose eyes saw what was published. */
export interface CatalogueDraftPublishedData {
  /** Revision of the draft in its stream. */
  draft: number;
  /** SHA-256 of its files as canonical JSON, `sha256:<hex>`. */
  filesHash: string;
  /** Who saved it last, and when. */
  editedBy: string;
  editedAt: Instant;
  approval: Approval;
  publishedAt: Instant;
}

export type CatalogueDraftPublished = DomainEvent<'CatalogueDraftPublished', CatalogueDraftPublishedData>;
export type PurposePublished = DomainEvent<'PurposePublished', PurposePublishedData>;
export type PurposeRetired = DomainEvent<'PurposeRetired', PurposeRetiredData>;
/** A version of a document, under the event type of its kind. */
export type DocumentPublished = {
  [N in DocumentName]: DomainEvent<KindOf<N>['event'], DocumentPublishedData<DefinitionOf<N>>>;
}[DocumentName];
export type VendorListAdopted = DomainEvent<'VendorListAdopted', VendorListAdoptedData>;
export type CatalogueEvent =
  | PurposePublished
  | PurposeRetired
  | DocumentPublished
  | VendorListAdopted
  | CatalogueEditingChanged
  | CatalogueDraftPublished;

export const CATALOGUE_EVENTS = [
  defineEvent({ type: 'PurposePublished', version: 1, personal: [] }),
  defineEvent({ type: 'PurposeRetired', version: 1, personal: [] }),
  ...DOCUMENTS.map(({ event }) => defineEvent({ type: event, version: 1, personal: [] })),
  defineEvent({ type: 'VendorListAdopted', version: 1, personal: [] }),
  defineEvent({ type: 'CatalogueEditingChanged', version: 1, personal: [] }),
  defineEvent({ type: 'CatalogueDraftPublished', version: 1, personal: [] }),
];
