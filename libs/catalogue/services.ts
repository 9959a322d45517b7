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
export { ifApplied, type AppliedState } from './if-applied.js';
