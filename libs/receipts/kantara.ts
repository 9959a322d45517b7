import { epochMs } from '../kernel/index.js';
import type { RecordReceipt } from './record-receipt.js';

/** Kantara Consent Receipt Specification 1.1, as far as a record says it. */
export interface KantaraReceipt {
  version: 'KI-CR-v1.1.0';
  jurisdiction: string;
  /** Seconds since 1970. */
  consentTimestamp: number;
  collectionMethod: string;
  consentReceiptID: string;
  language: string;
  piiPrincipalId: string;
  piiControllers: { piiController: string; contact: string; onBehalf: false }[];
  /** Relative to the address of the service. */
  policyUrl: string;
  services: { service: string; purposes: KantaraPurpose[] }[];
  sensitive: boolean;
  spiCat: string[];
}

interface KantaraPurpose {
  purpose: string;
  consentType: 'EXPLICIT' | 'IMPLICIT';
  piiCategory: string[];
  primaryPurpose: boolean;
  termination: string;
  thirdPartyDisclosure: boolean;
  thirdPartyName: string;
}

/** Acts by which nobody chose one purpose in particular. */
const UNSPECIFIC: readonly (string | null)[] = ['DISMISS', 'SIGNAL', 'SCRIPT'];
const NOT_TOLD = 'UNKNOWN';

/** The receipt of a consent in Kantara's form. Its fields for people's data are filled with pseudonym and codes. */
export function kantaraReceipt(receipt: RecordReceipt): KantaraReceipt {
  const { event, jurisdiction, notice, purposes } = receipt;
  const sensitive = purposes.flatMap(({ dataCategories }) => dataCategories.filter((each) => each.sensitive));
  return {
    version: 'KI-CR-v1.1.0',
    jurisdiction: jurisdiction?.region ?? jurisdiction?.country ?? NOT_TOLD,
    consentTimestamp: Math.floor(epochMs(event.at) / 1000),
    collectionMethod: event.method ?? event.source,
    consentReceiptID: receipt.id,
    language: notice?.language ?? NOT_TOLD,
    piiPrincipalId: receipt.subject.id,
    piiControllers: receipt.controllers.map(({ name, contact }) => ({ piiController: name, contact, onBehalf: false })),
    policyUrl: notice?.url ?? '',
    services: [{ service: receipt.site, purposes: purposes.map((purpose) => kantaraPurpose(purpose, event.method)) }],
    sensitive: sensitive.length > 0,
    spiCat: [...new Set(sensitive.map(({ key }) => key))],
  };
}

function kantaraPurpose(purpose: RecordReceipt['purposes'][number], method: string | null): KantaraPurpose {
  const others = purpose.recipients.filter(({ role }) => role !== 'PROCESSOR');
  return {
    purpose: `${purpose.key}: ${purpose.decision}`,
    consentType: UNSPECIFIC.includes(method) ? 'IMPLICIT' : 'EXPLICIT',
    piiCategory: purpose.dataCategories.map(({ key }) => key),
    primaryPurpose: purpose.legalBasis !== 'CONSENT',
    termination: purpose.retention ?? NOT_TOLD,
    thirdPartyDisclosure: others.length > 0,
    thirdPartyName: others.map(({ name }) => name).join(', '),
  };
}
