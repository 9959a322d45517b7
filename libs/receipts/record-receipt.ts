import { isId, sameUlid, type Environment, type Instant } from '../kernel/index.js';
import { RECEIPT_SCHEMA } from './erasure-receipt.js';

/** One purpose, and what was decided on it. */
export interface ReceiptPurpose {
  key: string;
  version: number;
  legalBasis: string;
  dataCategories: { key: string; sensitive: boolean }[];
  recipients: { name: string; role: string; country?: string }[];
  /** ISO 8601 duration; null where the controller stated none. */
  retention: string | null;
  decision: string;
  previousState: string;
  state: string;
  /** False where something newer stood already, and the record changed nothing. */
  applied: boolean;
  /** Receipt of the decision that stood before; null before the first. */
  previousReceipt: string | null;
}

/** One preference, without the value of a typed field: that is personal. */
export interface ReceiptPreference {
  field: string;
  previousState: string;
  state: string;
  applied: boolean;
  previousReceipt: string | null;
}

/** Who is responsible for the processing. */
export interface ReceiptController {
  name: string;
  contact: string;
}

/** The text that was shown. */
export interface ReceiptNotice {
  /** `sha256:<hex>` */
  hash: string;
  language: string;
  /** Where it can be read, relative to the address of the service. */
  url: string;
}

/** How the text was on the screen, by the judgement of what showed it. */
export interface ReceiptDisplay {
  version: number;
  checks: { check: string; passed: boolean; measured: string }[];
  /** S, M, L. */
  viewport: string;
}

export interface ReceiptEvent {
  type: 'consent' | 'preference' | 'confirmation';
  /** When the person said so. */
  at: Instant;
  recordedAt: Instant;
  /** When a grant ends; null: it does not. */
  validUntil: Instant | null;
  /** Null where the caller did not tell. */
  method: string | null;
  surface: string | null;
  /** API, or IMPORT or MIGRATION where the caller vouches for it; LINK: the person's own click. */
  source: string;
  actor: string;
}

/** All that a receipt is made from. It follows from the record, and from texts that were published for good. */
export interface RecordFacts {
  recordId: string;
  subjectId: string;
  site: string;
  env: Environment;
  controllers: ReceiptController[];
  jurisdiction: { country: string; region: string | null; source: string } | null;
  event: ReceiptEvent;
  purposes: ReceiptPurpose[];
  preferences: ReceiptPreference[];
  /** Choices for single vendors. */
  vendors: { framework: string; id: number; decision: string }[];
  /** Whether Global Privacy Control was on; null: not known. */
  gpc: boolean | null;
  notice: ReceiptNotice | null;
  /** Absent where the caller did not tell. */
  display?: ReceiptDisplay;
  /** SHA-256 of each document that the controller keeps as evidence, hex. */
  evidence: string[];
  /** By which call it is taken back, relative to the address of the service. */
  withdrawal: { method: 'POST'; url: string };
}

/**
 * The receipt of a consent record, a preference record or a confirmation; in content ISO/IEC TS 27560:2023. It holds
 * codes, ids, times and what the controller published, nothing that the person wrote: it is the same before and after an
 * erasure, and a finder learns no name from it.
 */
export interface RecordReceipt extends Omit<RecordFacts, 'recordId' | 'subjectId' | 'env'> {
  schema: typeof RECEIPT_SCHEMA;
  id: string;
  record: string;
  issuer: string;
  environment: Environment;
  /** A pseudonym: the id is random. */
  subject: { id: string };
}

/**
 * Who issues the receipts of a site. Not its address: that is a setting, which may change, and a receipt that is made
 * again must be the same.
 */
export const issuerOf = (site: string): string => `urn:assent:site:${site}`;

/** The same facts give the same bytes. Throws on a subject or record that is named by something else than an id. */
export function recordReceipt({ recordId, subjectId, site, env, ...facts }: RecordFacts): RecordReceipt {
  if (!isId('rec', recordId) || !isId('sub', subjectId)) throw new TypeError('a receipt names ids only');
  return {
    schema: RECEIPT_SCHEMA,
    id: sameUlid('rct', recordId),
    record: recordId,
    issuer: issuerOf(site),
    site,
    environment: env,
    subject: { id: subjectId },
    ...facts,
  };
}
