export * from './events.js';
export { contentHash, purposeView, servedLocale, type PurposeView } from './view.js';
export { gpcBinds } from './policy.js';
export { acceptedLocales, lookUpLocale } from './locale.js';
export { isRetired, lastMaterialVersion, purposeOf, purposesInForce, versionInForce, type CataloguedPurpose, type CatalogueState } from './state.js';
export type { PurposeDiff, PurposeFile } from './decide.js';
export { CATALOGUE, termsOf, type Catalogue, type Terms } from './catalogue.js';
export * from './template-definition.js';
export { checkFrequency, checkValue, resolveField, templateInForce, type PublishedTemplate, type ResolvedField } from './template.js';
