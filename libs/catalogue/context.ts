import { defineContext } from '../context/define-context.js';
import { catalogueJournal } from './editing/journal.js';
import { defineReadModel } from '../context/read-model.js';
import { CreateShownBanners1763830000001 } from './banner/shown-banners.migration.js';
import { DRAFT_EVENTS } from './editing/draft.js';
import { CreateCatalogueDrafts1764320000001 } from './editing/drafts.migration.js';
import { catalogueDraftsProjection } from './editing/drafts.projection.js';
import { CatalogueEditingModule } from './editing/module.js';
import { CATALOGUE_EVENTS } from './events.js';
import { CATALOGUE_OPERATIONS } from './operations.js';
import { PresentationsModule } from './banner/presentations.module.js';
import { catalogueStateProjection } from './projection.js';
import { CatalogueFilesModule } from './read/files.module.js';
import { CatalogueReadModule } from './read/module.js';
import { CatalogueWriteModule } from './write/module.js';
import { catalogueAnnouncements } from './webhooks.js';

// What the composition uses by itself.
export { CatalogueDirectory } from './directory.js';
export { ApplyCatalogue } from './write/apply-catalogue.handler.js';

/** Purposes and the documents about them, in versions: what a site can ask people for. */
export const catalogueContext = defineContext({
  name: 'catalogue',
  events: [...CATALOGUE_EVENTS, ...DRAFT_EVENTS],
  streams: [
    { name: 'catalogue', of: 'ENVIRONMENT' },
    { name: 'draft', of: 'ENVIRONMENT' },
  ],
  journal: catalogueJournal,
  webhooks: catalogueAnnouncements,
  readModels: [
    defineReadModel({ projection: catalogueStateProjection }),
    defineReadModel({ projection: catalogueDraftsProjection }),
  ],
  headings: {
    Purposes: 'What a site can ask people for, in versions and languages.',
    Banner: 'What a page shows to ask people, by place and language, and every text that was ever shown.',
    Cookies: 'What is kept on devices, and for which purposes.',
  },
  operations: CATALOGUE_OPERATIONS,
  migrations: [CreateShownBanners1763830000001, CreateCatalogueDrafts1764320000001],
  modules: {
    'write-api': [CatalogueWriteModule, CatalogueFilesModule, CatalogueEditingModule, PresentationsModule],
    'read-api': [CatalogueReadModule, PresentationsModule],
    dispatcher: [PresentationsModule],
  },
});
