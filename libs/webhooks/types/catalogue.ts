import { CHANGE_KINDS, type PurposePublishedData, type PurposeRetiredData } from '../../catalogue/index.js';
import { OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { defineWebhook, type WebhookType } from './webhook-type.js';
import { PURPOSE_KEY } from './fields.js';

const HASH = {
  example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  maxLength: 71,
} as const;
const SUMMARY = {
  description: 'What changed, in the words of who published it.',
  minLength: 0,
  maxLength: 2000,
  example: 'Clearer words.',
} as const;

/** A version of a purpose. Its texts are read with the API. */
export class PublishedPurposeDto {
  @OneOf(['purpose'], { description: 'What this is.', example: 'purpose' }) object!: string;
  @Text({ description: 'Key of the purpose.', ...PURPOSE_KEY }) key!: string;
  @Whole({ description: 'The version.', min: 1, example: 2 }) version!: number;
  @OneOf(CHANGE_KINDS, { description: 'MATERIAL: who agreed before has to be asked again.', example: 'MATERIAL' })
  change!: string;
  @Text(SUMMARY) summary!: string;
  @Text({ description: 'Hash of all that the version says.', ...HASH }) definitionHash!: string;
  @Timestamp({ description: 'From when on it is in force.' }) effectiveFrom!: string;
  @Timestamp({ description: 'When it was published.' }) publishedAt!: string;
}

export class PreviousVersionDto {
  @Whole({ description: 'The version before.', min: 1, example: 1 }) version!: number;
}

export class RetiredPurposeDto {
  @OneOf(['purpose'], { description: 'What this is.', example: 'purpose' }) object!: string;
  @Text({ description: 'Key of the purpose.', ...PURPOSE_KEY }) key!: string;
  @Whole({ description: 'Its last version.', min: 1, example: 2 }) version!: number;
  @Timestamp({ description: 'Since when nobody is asked for it.' }) retiredAt!: string;
}

/** Whom to ask again: not listed here, since it may be everybody. */
export class RequiredRenewalDto {
  @OneOf(['renewal'], { description: 'What this is.', example: 'renewal' }) object!: string;
  @Text({ description: 'Key of the purpose.', ...PURPOSE_KEY }) purpose!: string;
  @Whole({ description: 'The version that who agreed to an older one has to be asked about.', min: 1, example: 2 })
  purposeVersion!: number;
  @Timestamp({ description: 'Since when they have to be asked.' }) effectiveFrom!: string;
  @Text({ description: 'Path that lists them.', example: '/v1/purposes/analytics/renewals', maxLength: 200 })
  renewals!: string;
}

/** A version of one of the documents of the catalogue. */
export class PublishedDocumentDto {
  @OneOf(['policies', 'banner', 'template'], { description: 'What this is.', example: 'banner' }) object!: string;
  @Whole({ description: 'The version.', min: 1, example: 2 }) version!: number;
  @Text(SUMMARY) summary!: string;
  @Text({ description: 'Hash of all that the version says.', ...HASH }) definitionHash!: string;
  @Timestamp({ description: 'From when on it is in force.' }) effectiveFrom!: string;
  @Timestamp({ description: 'When it was published.' }) publishedAt!: string;
}

type Published = Omit<PurposePublishedData, 'definition'> & { definition: { key: string } };
interface DocumentPublished {
  version: number;
  change: { from: number | null; summary: string };
  definitionHash: string;
  effectiveFrom: string;
  publishedAt: string;
}

const AT = '2026-11-21T12:00:00.000Z';
const VERSION: DocumentPublished = {
  version: 2,
  change: { from: 1, summary: SUMMARY.example },
  definitionHash: HASH.example,
  effectiveFrom: AT,
  publishedAt: AT,
};
const PURPOSE: Published = {
  ...VERSION,
  definition: { key: PURPOSE_KEY.example },
  change: { from: 1, kind: 'MATERIAL', summary: SUMMARY.example },
};
const versionBefore = (from: number | null): object | null => (from === null ? null : { version: from });

const document = (type: string, on: string, object: string, description: string): WebhookType =>
  defineWebhook<DocumentPublished>({
    type,
    description,
    object: PublishedDocumentDto,
    previous: PreviousVersionDto,
    on: [on],
    tells: ({ data: { version, change, definitionHash, effectiveFrom, publishedAt } }) => ({
      occurredAt: publishedAt,
      object: { object, version, summary: change.summary, definitionHash, effectiveFrom, publishedAt },
      previous: versionBefore(change.from),
    }),
    sample: VERSION,
  });

export const CATALOGUE_WEBHOOKS: readonly WebhookType[] = [
  defineWebhook<Published>({
    type: 'purpose.published',
    description: 'A version of a purpose was published; it is in force from `effectiveFrom` on.',
    object: PublishedPurposeDto,
    previous: PreviousVersionDto,
    on: ['PurposePublished'],
    tells: ({ data: { definition, version, change, definitionHash, effectiveFrom, publishedAt } }) => ({
      occurredAt: publishedAt,
      object: {
        object: 'purpose',
        key: definition.key,
        version,
        change: change.kind,
        summary: change.summary,
        definitionHash,
        effectiveFrom,
        publishedAt,
      },
      previous: versionBefore(change.from),
    }),
    sample: PURPOSE,
  }),
  defineWebhook<Published>({
    type: 'consent.renewal_required',
    description:
      'A purpose was changed materially: from `effectiveFrom` on, everybody who agreed to an older version has to be asked again. Sent once for all of them.',
    object: RequiredRenewalDto,
    previous: PreviousVersionDto,
    on: ['PurposePublished'],
    tells: ({ data: { definition, version, change, effectiveFrom, publishedAt } }) =>
      change.kind === 'MATERIAL' && change.from !== null
        ? {
            occurredAt: publishedAt,
            object: {
              object: 'renewal',
              purpose: definition.key,
              purposeVersion: version,
              effectiveFrom,
              renewals: `/v1/purposes/${definition.key}/renewals`,
            },
            previous: versionBefore(change.from),
          }
        : null,
    sample: PURPOSE,
  }),
  defineWebhook<PurposeRetiredData>({
    type: 'purpose.retired',
    description: 'A purpose was retired: nobody is asked for it any more. Withdrawing stays possible.',
    object: RetiredPurposeDto,
    previous: null,
    on: ['PurposeRetired'],
    tells: ({ data: { key, version, retiredAt } }) => ({
      occurredAt: retiredAt,
      object: { object: 'purpose', key, version, retiredAt },
      previous: null,
    }),
    sample: { key: PURPOSE_KEY.example, version: 2, retiredAt: AT },
  }),
  document(
    'policy.published',
    'PoliciesPublished',
    'policies',
    'What the site makes of the law of some places changed.',
  ),
  document('banner.published', 'BannerPublished', 'banner', 'A version of the banner was published.'),
  document(
    'template.published',
    'TemplatePublished',
    'template',
    'A version of the preference template was published.',
  ),
];
