import { COUNTRY, REGION } from '../http/country.js';
import { Flag, FreeObject, ListOf, MapOf, Nested, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import type { GoogleConsent } from '../catalogue/index.js';
import { TC_SEGMENTS } from './tcf/segments.js';

/** Parameters of every framework string. */
export class FrameworkQuery {
  @Text({
    description: 'Whose choices: `<kind>:<value>`.',
    example: 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90',
    maxLength: 600,
  })
  subject!: string;
  @Flag({
    description: 'Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.',
    example: true,
    optional: true,
  })
  fresh?: boolean;
  @Timestamp({ description: 'What was given by that instant, under the rules of that instant.', optional: true })
  asOf?: string;
  @Text({
    description: 'Country whose rule applies, ISO 3166-1. Default: as for the state.',
    example: 'US',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
  @Text({ description: 'Region, ISO 3166-2.', example: 'US-CA', ...REGION, optional: true }) region?: string;
}

export class TcStringQuery extends FrameworkQuery {
  @OneOf(['tcdata'], {
    description: '`tcdata`: with `tcData`, what the string says, so that a page need not decode it. Default: without.',
    example: 'tcdata',
    optional: true,
  })
  format?: 'tcdata';
}

/** Ids of a TC string with whether each bit is set, from 1 to the highest that is. */
type TcBits = Readonly<Record<string, boolean>>;
const bits = (description: string, maxKeys: number, example: TcBits): PropertyDecorator =>
  MapOf(() => 'boolean', { description, maxKeys, keys: { pattern: '^[1-9]\\d{0,4}$', maxLength: 5 }, example });
const VENDORS_MAX = 65_535;
const TC_PURPOSES = [24, { 1: true, 2: false, 3: true }] as const;
const TC_VENDORS = [VENDORS_MAX, { 8: true }] as const;

export class TcPurposeBitsDto {
  @bits('Consent.', ...TC_PURPOSES) consents!: TcBits;
  @bits('Legitimate interest, disclosed and not objected to.', ...TC_PURPOSES) legitimateInterests!: TcBits;
}

export class TcCustomBitsDto {
  @bits('Consent, by place in `customPurposes`.', 63, { 1: true }) consents!: TcBits;
  @bits('Legitimate interest, by place in `customPurposes`.', 63, {}) legitimateInterests!: TcBits;
}

export class TcVendorBitsDto {
  @bits('Consent.', ...TC_VENDORS) consents!: TcBits;
  @bits('Legitimate interest, disclosed and not objected to.', ...TC_VENDORS) legitimateInterests!: TcBits;
  @bits('Disclosed to the person.', ...TC_VENDORS) disclosedVendors!: TcBits;
}

export class TcPublisherDto {
  @bits('Consent to purposes of TCF.', ...TC_PURPOSES) consents!: TcBits;
  @bits('Legitimate interest in purposes of TCF.', ...TC_PURPOSES) legitimateInterests!: TcBits;
  @Nested(() => TcCustomBitsDto, { description: 'Of the purposes that are none of TCF.' })
  customPurpose!: TcCustomBitsDto;
  @FreeObject({
    description:
      'What the publisher lets vendors do less than they declare, by purpose and vendor: 0 not allowed, 1 only with consent, 2 only with legitimate interest.',
    example: { 2: { 755: 1 } },
    maxKeys: 24,
    maxBytes: 1_000_000,
    depth: 2,
  })
  restrictions!: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** TCData of IAB's "CMP API v2", without what only a page knows: `eventStatus`, `cmpStatus`, `listenerId`. */
export class TcDataDto {
  @Text({ description: 'As beside it.', example: 'CQYdG0AQYdG0AP_AAAENAFAA', maxLength: 200_000 }) tcString!: string;
  @Whole({ description: 'Version of the policies of TCF.', example: 5 }) tcfPolicyVersion!: number;
  @Whole({ description: 'Id of the consent tool.', example: 300 }) cmpId!: number;
  @Whole({ description: 'Its version.', example: 4 }) cmpVersion!: number;
  @Flag({ description: 'Whether the place is one in which IAB TCF is used.', example: true }) gdprApplies!: boolean;
  @Flag({ description: 'Always true: for the services of this site alone.', example: true })
  isServiceSpecific!: boolean;
  @Flag({ description: 'Always false: the texts of the list are shown.', example: false })
  useNonStandardTexts!: boolean;
  @Text({ description: 'Country of the publisher; `AA` where it named none.', example: 'DE', maxLength: 2 })
  publisherCC!: string;
  @Flag({ description: 'Always false: purpose 1 is asked for as any other.', example: false })
  purposeOneTreatment!: boolean;
  @Nested(() => TcPurposeBitsDto, { description: 'By purpose.' }) purpose!: TcPurposeBitsDto;
  @Nested(() => TcVendorBitsDto, { description: 'By vendor.' }) vendor!: TcVendorBitsDto;
  @bits('Special features that the person opted in to.', 12, { 1: true }) specialFeatureOptins!: TcBits;
  @Nested(() => TcPublisherDto, { description: 'Of the publisher.' }) publisher!: TcPublisherDto;
}

export class TcStringDto {
  @Text({ description: 'The TC string, TCF 2.4.', example: 'CQYdG0AQYdG0AP_AAAENAFAA', maxLength: 200_000 })
  tcString!: string;
  @Flag({ description: 'Whether the place is one in which IAB TCF is used.', example: true }) gdprApplies!: boolean;
  @Whole({ description: 'Id of the consent tool; 4095 marks strings as made for a test.', example: 300 })
  cmpId!: number;
  @Whole({ description: 'Its version.', example: 4 }) cmpVersion!: number;
  @Flag({ description: 'Whether the site has named a registered tool (`--tcf-cmp`).', example: true })
  cmpRegistered!: boolean;
  @Whole({ description: 'Version of the policies of TCF, as the vendor list says.', example: 5 })
  policyVersion!: number;
  @Whole({ description: 'Version of the vendor list that the string is explained by.', example: 177 })
  vendorListVersion!: number;
  @Flag({ description: 'Whether that list is the one of this service, whose vendors do not exist.', example: false })
  vendorListSynthetic!: boolean;
  @Timestamp({ description: 'Day on which something was said last.', example: '2026-11-21T00:00:00.000Z' })
  created!: string;
  @Timestamp({ description: 'The same day.', example: '2026-11-21T00:00:00.000Z' }) lastUpdated!: string;
  @ListOf(() => 'string', {
    description: 'What it consists of, in this order.',
    example: [...TC_SEGMENTS],
    maxItems: 3,
    of: { values: TC_SEGMENTS },
  })
  segments!: readonly string[];
  @ListOf(() => 'string', {
    description:
      'Keys of the purposes that are none of TCF, by their numbers in the segment PUBLISHER_TC: the first is 1.',
    example: ['newsletter'],
    maxItems: 63,
  })
  customPurposes!: readonly string[];
  @Nested(() => TcDataDto, { description: 'What the string says; only with `format=tcdata`.', optional: true })
  tcData?: TcDataDto;
}

const VALUES = ['granted', 'denied'] as const;

export class GoogleConsentDto implements GoogleConsent {
  @OneOf(VALUES, { description: 'Storage for advertising.', example: 'denied' })
  ad_storage!: GoogleConsent['ad_storage'];
  @OneOf(VALUES, { description: 'Sending data about people to Google for advertising.', example: 'denied' })
  ad_user_data!: GoogleConsent['ad_user_data'];
  @OneOf(VALUES, { description: 'Personalised advertising.', example: 'denied' })
  ad_personalization!: GoogleConsent['ad_personalization'];
  @OneOf(VALUES, { description: 'Storage for statistics.', example: 'granted' })
  analytics_storage!: GoogleConsent['analytics_storage'];
  @OneOf(VALUES, { description: 'Storage for functions, such as the language.', example: 'granted' })
  functionality_storage!: GoogleConsent['functionality_storage'];
  @OneOf(VALUES, { description: 'Storage for personalisation.', example: 'denied' })
  personalization_storage!: GoogleConsent['personalization_storage'];
  @OneOf(VALUES, { description: 'Storage for security.', example: 'granted' })
  security_storage!: GoogleConsent['security_storage'];
}

export class GoogleConsentModeDto {
  @Nested(() => GoogleConsentDto, {
    description: "What holds until the visitor chooses: for `gtag('consent', 'default', …)`, before any tag.",
  })
  default!: GoogleConsentDto;
  @Nested(() => GoogleConsentDto, {
    description: "What holds of this subject: for `gtag('consent', 'update', …)`, on every page.",
  })
  update!: GoogleConsentDto;
  @ListOf(() => 'string', {
    description:
      'Where `default` holds: every country (ISO 3166-1) and region (ISO 3166-2) in which the same is demanded as at the place of the subject. Empty where no place is known: leave `region` out then.',
    example: ['AT', 'DE', 'FR'],
    maxItems: 1000,
  })
  region!: readonly string[];
  @Whole({ description: 'How long tags wait for the update, in milliseconds.', example: 500 }) waitForUpdate!: number;
}

export class AdditionalConsentDto {
  @Text({
    description: 'Additional consent, version 2: `2~<consented>~dv.<disclosed>`.',
    example: '2~35.89~dv.7.21',
    maxLength: 20_000,
  })
  addtlConsent!: string;
  @Text({
    description: 'Which list of ad technology providers: the beginning of its SHA-256.',
    example: '3f1c9d2ab47e6058',
    maxLength: 64,
  })
  providerListVersion!: string;
  @Flag({ description: 'Whether that list is the one of this service, whose providers do not exist.', example: false })
  providerListSynthetic!: boolean;
}
