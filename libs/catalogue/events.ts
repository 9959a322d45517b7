import { defineEvent } from '../event-log/codec.js';
import type { DomainEvent, Instant, PurposeCategory } from '../kernel/index.js';
import type { TemplateDefinition } from './template-definition.js';

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
export const RECIPIENT_ROLES = ['CONTROLLER', 'PROCESSOR', 'THIRD_PARTY'] as const;

export interface PurposeText {
  name: string;
  description: string;
  legalText: string;
}

/** A purpose as its operator wrote it: everything but what publishing adds. */
export interface PurposeDefinition {
  key: string;
  legalBasis: (typeof LEGAL_BASES)[number];
  consentModel: (typeof CONSENT_MODELS)[number];
  category: PurposeCategory;
  dataCategories: { key: string; sensitive: boolean }[];
  recipients: { name: string; role: (typeof RECIPIENT_ROLES)[number]; country?: string }[];
  /** ISO 8601 duration, or null where it is not stated. */
  retention: string | null;
  controller: { name: string; contact: string; dpoContact?: string };
  /** Longest life of a grant, in days; null for no end. */
  validityDays: number | null;
  frameworks: {
    tcf: { purposes: number[]; specialFeatures: number[] };
    google: (typeof GOOGLE_CONSENT_TYPES)[number][];
    us: string[];
  };
  /** Whether Global Privacy Control reaches this purpose. */
  gpc: boolean;
  cookies: string[];
  defaultLocale: string;
  translations: Record<string, PurposeText>;
}

export interface PurposePublishedData {
  definition: PurposeDefinition;
  version: number;
  change: { from: number | null; kind: (typeof CHANGE_KINDS)[number]; summary: string };
  /** SHA-256 of the canonical definition, `sha256:<hex>`: what decides whether anything changed. */
  definitionHash: string;
  effectiveFrom: Instant;
  publishedAt: Instant;
}

export interface PurposeRetiredData {
  key: string;
  version: number;
  retiredAt: Instant;
}

export interface TemplatePublishedData {
  definition: TemplateDefinition;
  version: number;
  change: { from: number | null; summary: string };
  /** As of a purpose. */
  definitionHash: string;
  effectiveFrom: Instant;
  publishedAt: Instant;
}

export type PurposePublished = DomainEvent<'PurposePublished', PurposePublishedData>;
export type PurposeRetired = DomainEvent<'PurposeRetired', PurposeRetiredData>;
export type TemplatePublished = DomainEvent<'TemplatePublished', TemplatePublishedData>;
export type CatalogueEvent = PurposePublished | PurposeRetired | TemplatePublished;

export const CATALOGUE_EVENTS = [
  defineEvent({ type: 'PurposePublished', version: 1, personal: [] }),
  defineEvent({ type: 'PurposeRetired', version: 1, personal: [] }),
  defineEvent({ type: 'TemplatePublished', version: 1, personal: [] }),
];
