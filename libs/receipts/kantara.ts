import { epochMs, isRefusal, parseReference } from '../kernel/index.js';
import type { RecordReceipt } from './record-receipt.js';

/**
 * Kantara Consent Receipt Specification 1.1. Its section 4.4 wants address, e-mail and phone of each controller: they are
 * left out where the purpose that was decided on does not name them.
 */
export interface KantaraReceipt {
  version: 'KI-CR-v1.1.0';
  jurisdiction: string;
  /** Seconds since 1970. */
  consentTimestamp: number;
  collectionMethod: string;
  consentReceiptID: string;
  language?: string;
  piiPrincipalId: string;
  piiControllers: ({ piiController: string; contact: string; onBehalf: false } & Reached)[];
  /** The text that was shown. */
  policyUrl: string;
  services: { service: string; purposes: KantaraPurpose[] }[];
  sensitive: boolean;
  spiCat: string[];
}

interface KantaraPurpose {
  purpose: string;
  purposeCategory: string[];
  consentType: 'EXPLICIT' | 'IMPLICIT';
  piiCategory: string[];
  primaryPurpose: boolean;
  termination: string;
  thirdPartyDisclosure: boolean;
  /** Only where the purpose is disclosed to a third party. */
  thirdPartyName?: string;
}

/** Ways to a controller besides the contact. `address`: with the names of schema.org's PostalAddress. */
interface Reached {
  email?: string;
  phone?: string;
  address?: object;
}

/** What Kantara's form wants besides what a receipt says. */
export interface KantaraBesides {
  /** Of the service, without a slash at its end. A receipt names addresses relative to it. */
  publicUrl: string;
  /** Of the purpose that was decided on. */
  category: string;
  /** Of the same purpose. */
  controller: Reached;
}

/** Acts by which a person chose no purpose in particular. */
const UNSPECIFIC: readonly (string | null)[] = ['DISMISS', 'SIGNAL', 'SCRIPT'];
const NOT_TOLD = 'UNKNOWN';

const reached = ({ email, phone, address }: Reached): Reached => ({
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone }),
  ...(address !== undefined && { address }),
});

const isAddress = (contact: string): boolean => !isRefusal(parseReference(`email:${contact}`));

/** The receipt of a consent in Kantara's form. Its fields for people's data are filled with pseudonym and codes. */
export function kantaraReceipt(
  receipt: RecordReceipt,
  { publicUrl, category, controller }: KantaraBesides,
): KantaraReceipt {
  const { event, jurisdiction, notice, purposes } = receipt;
  const sensitive = purposes.flatMap(({ dataCategories }) => dataCategories.filter((each) => each.sensitive));
  return {
    version: 'KI-CR-v1.1.0',
    jurisdiction: jurisdiction?.region ?? jurisdiction?.country ?? NOT_TOLD,
    consentTimestamp: Math.floor(epochMs(event.at) / 1000),
    collectionMethod: event.method ?? event.source,
    consentReceiptID: receipt.id,
    ...(notice && { language: notice.language }),
    piiPrincipalId: receipt.subject.id,
    piiControllers: receipt.controllers.map(({ name, contact }) => ({
      piiController: name,
      contact,
      ...(isAddress(contact) && { email: contact }),
      ...reached(controller),
      onBehalf: false,
    })),
    policyUrl: publicUrl + (notice?.url ?? ''),
    services: [
      {
        service: receipt.site,
        purposes: purposes.map((purpose) => ({
          ...kantaraPurpose(purpose, event.method),
          purposeCategory: [category],
        })),
      },
    ],
    sensitive: sensitive.length > 0,
    spiCat: [...new Set(sensitive.map(({ key }) => key))],
  };
}

function kantaraPurpose(
  purpose: RecordReceipt['purposes'][number],
  method: string | null,
): Omit<KantaraPurpose, 'purposeCategory'> {
  const others = purpose.recipients.filter(({ role }) => role !== 'PROCESSOR');
  return {
    purpose: `${purpose.key}: ${purpose.decision}`,
    consentType: UNSPECIFIC.includes(method) ? 'IMPLICIT' : 'EXPLICIT',
    piiCategory: purpose.dataCategories.map(({ key }) => key),
    primaryPurpose: purpose.legalBasis !== 'CONSENT',
    termination: purpose.retention ?? NOT_TOLD,
    thirdPartyDisclosure: others.length > 0,
    ...(others.length > 0 && { thirdPartyName: others.map(({ name }) => name).join(', ') }),
  };
}
