export {
  asExported,
  CatalogueFolderRefused,
  documentOf,
  DOCUMENTS,
  examineCatalogueFolder,
  fileText,
  readCatalogueFolder,
  type CatalogueFolder,
  type ExaminedFolder,
} from './files.js';
export { readYamlFile } from './files/yaml-file.js';
export { FinishedDraft } from './editing/finished-draft.js';
export { lastPublished, type LastPublished } from './editing/last-published.js';
export { draftsForApproval } from './editing/waiting-drafts.js';
export { ifApplied, type AppliedState } from './if-applied.js';
export type {
  CatalogueDifferenceDto,
  CatalogueDraftDto,
  CatalogueVersionDto,
  CatalogueVersionListDto,
} from './editing/dto.js';
export type { BannerPreviewDto } from './preview/dto.js';
