import type { PurposeCategory } from '../kernel/index.js';

/** GDPR art. 6(1)(a) to (f). */
export const LEGAL_BASES = [
  'CONSENT',
  'CONTRACT',
  'LEGAL_OBLIGATION',
  'VITAL_INTERESTS',
  'PUBLIC_TASK',
  'LEGITIMATE_INTERESTS',
] as const;
export const CONSENT_MODELS = ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'ALWAYS_ON'] as const;
export const CHANGE_KINDS = ['MATERIAL', 'EDITORIAL'] as const;
export const GOOGLE_CONSENT_TYPES = [
  'ad_storage',
  'analytics_storage',
  'ad_user_data',
  'ad_personalization',
  'functionality_storage',
  'personalization_storage',
  'security_storage',
] as const;
/** Kinds of sensitive data that US state laws name, in the order in which IAB GPP lists them for the nation. */
export const SENSITIVE_KINDS = [
  'RACE',
  'RELIGION',
  'HEALTH',
  'SEX_LIFE',
  'CITIZENSHIP',
  'GENETIC',
  'BIOMETRIC',
  'GEOLOCATION',
  'IDENTIFICATION',
  'ACCOUNT_ACCESS',
  'UNION',
  'MESSAGES',
  'CONSUMER_HEALTH',
  'CRIME_VICTIM',
  'NATIONAL_ORIGIN',
  'TRANSGENDER',
] as const;
export type SensitiveKind = (typeof SENSITIVE_KINDS)[number];

/**
 * What a purpose does with data, in the terms of US state laws. ADDITIONAL_PROCESSING: advertising that is not compatible
 * with the purpose for which the data were collected.
 */
export type UsCategory =
  'SALE' | 'SHARING' | 'TARGETED_ADVERTISING' | 'ADDITIONAL_PROCESSING' | `SENSITIVE_${SensitiveKind}`;
export const US_CATEGORIES: readonly UsCategory[] = [
  'SALE',
  'SHARING',
  'TARGETED_ADVERTISING',
  'ADDITIONAL_PROCESSING',
  ...SENSITIVE_KINDS.map((kind) => `SENSITIVE_${kind}` as const),
];

export const RECIPIENT_ROLES = ['CONTROLLER', 'PROCESSOR', 'THIRD_PARTY'] as const;

export interface PurposeText {
  name: string;
  description: string;
  legalText: string;
}

/** With the names of schema.org's PostalAddress. */
export interface PostalAddress {
  streetAddress: string;
  postalCode?: string;
  addressLocality?: string;
  addressRegion?: string;
  /** ISO 3166-1. */
  addressCountry: string;
}

export interface Controller {
  name: string;
  contact: string;
  dpoContact?: string;
  email?: string;
  phone?: string;
  address?: PostalAddress;
}

/** A purpose as its operator wrote it, without what publishing adds. */
export interface PurposeDefinition {
  key: string;
  legalBasis: (typeof LEGAL_BASES)[number];
  consentModel: (typeof CONSENT_MODELS)[number];
  category: PurposeCategory;
  dataCategories: { key: string; sensitive: boolean }[];
  recipients: { name: string; role: (typeof RECIPIENT_ROLES)[number]; country?: string }[];
  /** ISO 8601 duration, or null if it is not stated. */
  retention: string | null;
  controller: Controller;
  /** Longest life of a grant, in days; null for no end. */
  validityDays: number | null;
  frameworks: {
    tcf: { purposes: number[]; specialFeatures: number[] };
    google: (typeof GOOGLE_CONSENT_TYPES)[number][];
    /** Older purposes may have unchecked words here, which no string shows. */
    us: string[];
  };
  /** Whether Global Privacy Control applies to this purpose. */
  gpc: boolean;
  cookies: string[];
  defaultLocale: string;
  translations: Record<string, PurposeText>;
}
