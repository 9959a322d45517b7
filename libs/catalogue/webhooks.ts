import { PURPOSE_KEY } from '../context/webhook-fields.js';
import { announcedAs, defineAnnouncements, type AnnouncedAs } from '../context/webhook-types.js';
import { ListOf, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import {
  CHANGE_KINDS,
  type CatalogueEvent,
  type PurposePublishedData,
  type PurposeRetiredData,
  type VendorListAdoptedData,
} from './events.js';

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
  @Timestamp({ description: 'Since when no person is asked for it.' }) retiredAt!: string;
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

export class UpdatedVendorListDto {
  @OneOf(['vendor_list'], { description: 'What this is.', example: 'vendor_list' }) object!: string;
  @Whole({ description: 'Version of the list.', min: 1, example: 120 }) version!: number;
  @Timestamp({ description: 'When the list was made.' }) lastUpdated!: string;
  @ListOf(() => 'string', {
    description:
      'Purposes that a person who granted them before has to be asked about again, because a vendor of the site asks for more.',
    example: [PURPOSE_KEY.example],
    maxItems: 1000,
    of: { maxLength: PURPOSE_KEY.maxLength },
  })
  renewals!: string[];
}

export class PreviousVendorListDto {
  @Whole({ description: 'The version before.', min: 1, example: 119 }) version!: number;
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

const document = (type: string, object: string, description: string): AnnouncedAs<DocumentPublished> =>
  announcedAs<DocumentPublished>({
    webhook: { type, description, isAboutSubject: false, object: PublishedDocumentDto, previous: PreviousVersionDto },
    announce: ({ data: { version, change, definitionHash, effectiveFrom, publishedAt } }) => ({
      occurredAt: publishedAt,
      object: { object, version, summary: change.summary, definitionHash, effectiveFrom, publishedAt },
      previous: versionBefore(change.from),
    }),
    sample: VERSION,
  });

/** What webhooks announce of the catalogue. */
export const catalogueAnnouncements = defineAnnouncements<CatalogueEvent>({
  // About how operators work. What they publish is announced by the events that follow.
  CatalogueEditingChanged: [],
  CatalogueDraftPublished: [],
  PurposePublished: [
    announcedAs<Published>({
      webhook: {
        type: 'purpose.published',
        description: 'A version of a purpose was published; it is in force from `effectiveFrom` on.',
        isAboutSubject: false,
        object: PublishedPurposeDto,
        previous: PreviousVersionDto,
      },
      announce: ({ data: { definition, version, change, definitionHash, effectiveFrom, publishedAt } }) => ({
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
    announcedAs<Published>({
      webhook: {
        type: 'consent.renewal_required',
        description:
          'A purpose was changed materially: from `effectiveFrom` on, everybody who agreed to an older version has to be asked again. Sent once for all of them.',
        isAboutSubject: false,
        object: RequiredRenewalDto,
        previous: PreviousVersionDto,
      },
      announce: ({ data: { definition, version, change, effectiveFrom, publishedAt } }) =>
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
  ],
  PurposeRetired: [
    announcedAs<PurposeRetiredData>({
      webhook: {
        type: 'purpose.retired',
        description: 'A purpose was retired: no person is asked for it any more. Withdrawing stays possible.',
        isAboutSubject: false,
        object: RetiredPurposeDto,
        previous: null,
      },
      announce: ({ data: { key, version, retiredAt } }) => ({
        occurredAt: retiredAt,
        object: { object: 'purpose', key, version, retiredAt },
        previous: null,
      }),
      sample: { key: PURPOSE_KEY.example, version: 2, retiredAt: AT },
    }),
  ],
  PoliciesPublished: [
    document('policy.published', 'policies', 'What the site makes of the law of some places changed.'),
  ],
  BannerPublished: [document('banner.published', 'banner', 'A version of the banner was published.')],
  TemplatePublished: [
    document('template.published', 'template', 'A version of the preference template was published.'),
  ],
  CookiesPublished: [],
  VendorsPublished: [],
  VendorListAdopted: [
    announcedAs<VendorListAdoptedData>({
      webhook: {
        type: 'vendor_list.updated',
        description: 'Another version of the TCF vendor list is in use.',
        isAboutSubject: false,
        object: UpdatedVendorListDto,
        previous: PreviousVendorListDto,
      },
      announce: ({ data: { version, lastUpdated, previous, renewals, adoptedAt } }) => ({
        occurredAt: adoptedAt,
        object: { object: 'vendor_list', version, lastUpdated, renewals },
        previous: previous === null ? null : { version: previous },
      }),
      sample: {
        version: 120,
        digest: '15e7d4b0bd38cc39c1fed32568650352153652a802b76b221f75ec29a942208e',
        tcfPolicyVersion: 5,
        lastUpdated: AT,
        previous: 119,
        extended: [{ vendor: 755, purposes: [7], specialFeatures: [] }],
        renewals: [PURPOSE_KEY.example],
        adoptedAt: AT,
      },
    }),
  ],
});
