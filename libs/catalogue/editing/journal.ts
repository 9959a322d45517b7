import { defineJournal, type JournalSays } from '../../context/journal.js';
import type { DocumentPublishedData } from '../document.js';
import type { CatalogueEvent } from '../events.js';
import type { DraftEvent } from './draft.js';

const CATALOGUE = { type: 'CATALOGUE', id: null } as const;

const published =
  (id: string) =>
  ({ version, change, effectiveFrom }: DocumentPublishedData<unknown>): JournalSays => ({
    target: { type: 'CATALOGUE', id },
    summary: `Version ${version} of ${id} published`,
    ...versions(version, change, { effectiveFrom }),
  });

const versions = (version: number, { from }: { from: number | null }, more: object): Partial<JournalSays> => ({
  before: from === null ? null : { version: from },
  after: { version, ...more },
});

export const catalogueJournal = defineJournal<CatalogueEvent | DraftEvent>({
  PurposePublished: ({ definition: { key }, version, change, effectiveFrom }) => ({
    target: { type: 'PURPOSE', id: key },
    summary: `Version ${version} of a purpose published`,
    ...versions(version, change, { change: change.kind, effectiveFrom }),
  }),
  PurposeRetired: ({ key, version }) => ({
    target: { type: 'PURPOSE', id: key },
    summary: 'Purpose retired',
    before: { version },
  }),
  TemplatePublished: published('template'),
  VendorsPublished: published('vendors'),
  CookiesPublished: published('cookies'),
  BannerPublished: published('banner'),
  PoliciesPublished: published('policies'),
  // The service adopts a list by itself.
  VendorListAdopted: null,
  CatalogueEditingChanged: ({ owner, approval }) => ({
    target: CATALOGUE,
    summary: 'Where the catalogue is written was set',
    after: { owner, approval },
  }),
  CatalogueDraftSaved: ({ base, bytes, filesHash }) => ({
    target: CATALOGUE,
    summary: 'Draft saved',
    after: { base, bytes, filesHash },
  }),
  CatalogueDraftDiscarded: () => ({ target: CATALOGUE, summary: 'Draft discarded' }),
  CatalogueDraftPublished: ({ draft, filesHash, editedBy, editedAt, approval }) => ({
    target: CATALOGUE,
    summary: 'Draft published',
    after: { draft, filesHash, editedBy, editedAt, approval },
  }),
});
