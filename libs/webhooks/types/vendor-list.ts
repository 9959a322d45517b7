import type { VendorListAdoptedData } from '../../catalogue/index.js';
import { ListOf, OneOf, Timestamp, Whole } from '../../http/contract/fields.js';
import { defineWebhook, type WebhookType } from './webhook-type.js';
import { PURPOSE_KEY } from './fields.js';

const { example: PURPOSE, ...KEYS } = PURPOSE_KEY;

export class UpdatedVendorListDto {
  @OneOf(['vendor_list'], { description: 'What this is.', example: 'vendor_list' }) object!: string;
  @Whole({ description: 'Version of the list.', min: 1, example: 120 }) version!: number;
  @Timestamp({ description: 'When the list was made.' }) lastUpdated!: string;
  @ListOf(() => 'string', {
    description:
      'Purposes that whoever granted them before has to be asked about again, because a vendor of the site asks for more.',
    example: [PURPOSE],
    maxItems: 1000,
    of: KEYS,
  })
  renewals!: string[];
}

export class PreviousVendorListDto {
  @Whole({ description: 'The version before.', min: 1, example: 119 }) version!: number;
}

const AT = '2026-11-21T12:00:00.000Z';

export const VENDOR_LIST_WEBHOOKS: readonly WebhookType[] = [
  defineWebhook<VendorListAdoptedData>({
    type: 'vendor_list.updated',
    description: 'Another version of the TCF vendor list is in use.',
    object: UpdatedVendorListDto,
    previous: PreviousVendorListDto,
    on: ['VendorListAdopted'],
    tells: ({ data: { version, lastUpdated, previous, renewals, adoptedAt } }) => ({
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
      renewals: [PURPOSE],
      adoptedAt: AT,
    },
  }),
];
