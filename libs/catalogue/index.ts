export * from './events.js';
export { contentHash, purposeView, servedLocale, type PurposeView } from './view.js';
export {
  catalogueFold,
  isRetired,
  lastMaterialVersion,
  purposeOf,
  documentInForce,
  purposesInForce,
  vendorsAskMoreSince,
  versionInForce,
  type CataloguedPurpose,
  type CatalogueState,
} from './state.js';
export type { CatalogueFiles, PurposeFile } from './decide.js';
export type { CatalogueDiff } from './decide-document.js';
export { CATALOGUE, termsOf, type Catalogue, type Terms } from './catalogue.js';
export { catalogueRefusals } from './refusals.js';
export { noticeOf, type Notice } from './notices/notice.js';
export { disclosedPurposes } from './banner/disclosed-purposes.js';
export { shownToPeople, type ShownToPeople } from './banner/shown-to-people.js';
export type { Vendor, VendorRestriction } from './vendors/definition.js';
export { sectionsFor, UNSETTLED_SECTIONS, US_NATIONAL_ID } from './gpp-sections.js';
export { googleConsent, type GoogleConsent } from './google-consent.js';
export { GOOGLE_CONSENT_TYPES, type PurposeDefinition } from './purpose-definition.js';
export { ownRulesOf } from './policies/rules.js';
export { VENDORS } from './vendors/document.js';
export * from './template/template-definition.js';
export {
  checkFrequency,
  checkValue,
  resolveField,
  templateInForce,
  topicPath,
  type PublishedTemplate,
  type ResolvedField,
} from './template/template.js';
export { templateView, type TemplateView } from './template/template-view.js';
export { PRESENTATIONS, type Presentations } from './banner/presentations.js';
export type { Presentation, ShownPurpose } from './banner/presentation.js';
export { sameBanner, shownPurpose } from './banner/presentation-token.js';
