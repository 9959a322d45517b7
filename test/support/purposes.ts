import type { PurposeDefinition } from '../../libs/catalogue/events.js';

/** A purpose as the catalogue holds it: people are asked, and its key is its name. */
export const purposeDefinition = (key: string, more: Partial<PurposeDefinition> = {}): PurposeDefinition => ({
  key,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'OTHER',
  dataCategories: [],
  recipients: [],
  retention: null,
  controller: { name: 'Shop', contact: 'privacy@shop.example' },
  validityDays: null,
  frameworks: { tcf: { purposes: [], specialFeatures: [] }, google: [], us: [] },
  gpc: false,
  cookies: [],
  defaultLocale: 'en',
  translations: { en: { name: key, description: key, legalText: '' } },
  ...more,
});

/** The same as an operator writes it into a file of the catalogue. */
export const purposeFile = (key: string, more: object = {}): { key: string } & Record<string, unknown> => ({
  key,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'MARKETING',
  controller: { name: 'Shop', contact: 'privacy@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: key, description: key } },
  ...more,
});
