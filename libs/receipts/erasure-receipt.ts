import { isId, type Environment, type Instant } from '../kernel/index.js';

/** What an erasure's receipt is made of: all of it stands in the event, so that the receipt can be made again from the log. */
export interface ErasureFacts {
  /** `rct_…` */
  receiptId: string;
  subjectId: string;
  /** Every subject whose key was destroyed with it, because they had been merged; in any order, with or without `subjectId`. */
  erasedTogether: readonly string[];
  site: string;
  env: Environment;
  erasedAt: Instant;
  /** A code from a closed list; never words of a person. */
  reason: string | null;
  /** Public address of the service. */
  issuer: string;
}

/** Codes, ids and times only: its holder keeps a receipt for years, and it cannot be called back. */
export interface ErasureReceipt {
  schema: typeof RECEIPT_SCHEMA;
  id: string;
  issuer: string;
  site: string;
  environment: Environment;
  /** A pseudonym: the id is random, and nothing leads from it to a person any more. */
  subject: { id: string };
  event: { type: 'erasure'; state: 'ERASED'; at: Instant; reason: string | null };
  erased: { subjects: string[]; destroyed: string[] };
  kept: { what: string; as: string; under: string[] }[];
}

/** Of every receipt. Whatever changes the bytes of a receipt already issued needs another number. */
export const RECEIPT_SCHEMA = 'urn:consent-receipt:1';

const DESTROYED = [
  'SUBJECT_KEY',
  'IDENTIFIERS',
  'PERSONAL_FIELDS',
  'READ_MODELS',
  'CACHES',
  'PENDING_MAIL',
  'DELIVERIES',
];
/** Art. 7(1): the controller must be able to demonstrate consent; art. 17(3)(e): the defence of legal claims. */
const KEPT = { what: 'DECISIONS', as: 'ANONYMOUS_EVIDENCE', under: ['GDPR art. 17(3)(e)', 'GDPR art. 7(1)'] };
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** The same facts give the same bytes. Throws on what could be personal: a receipt is signed for ever. */
export function erasureReceipt({
  receiptId,
  subjectId,
  erasedTogether,
  site,
  env,
  erasedAt,
  reason,
  issuer,
}: ErasureFacts): ErasureReceipt {
  const subjects = [...new Set([subjectId, ...erasedTogether])].sort();
  if (!isId('rct', receiptId) || !subjects.every((id) => isId('sub', id)))
    throw new TypeError('a receipt names ids only');
  if (reason !== null && !CODE.test(reason)) throw new TypeError('the reason of an erasure is a code');
  return {
    schema: RECEIPT_SCHEMA,
    id: receiptId,
    issuer,
    site,
    environment: env,
    subject: { id: subjectId },
    event: { type: 'erasure', state: 'ERASED', at: erasedAt, reason },
    erased: { subjects, destroyed: [...DESTROYED] },
    kept: [{ ...KEPT, under: [...KEPT.under] }],
  };
}
