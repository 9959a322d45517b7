import { OneOf, Text, Timestamp } from '../http/contract/fields.js';
import { sameUlid } from '../kernel/index.js';
import { RECEIPT_ID, RECORD_ID } from './webhook-fields.js';
import type { AnnouncedAs, WebhookType } from './webhook-types.js';

const SUBJECTS_OF_RECEIPTS = ['CONSENT', 'PREFERENCES', 'CONFIRMATION', 'ERASURE'] as const;
type About = (typeof SUBJECTS_OF_RECEIPTS)[number];

export class IssuedReceiptDto {
  @OneOf(['receipt'], { description: 'What this is.', example: 'receipt' }) object!: string;
  @Text({ description: 'Id of the receipt.', ...RECEIPT_ID }) id!: string;
  @OneOf(SUBJECTS_OF_RECEIPTS, { description: 'What it is about.', example: 'CONSENT' }) about!: string;
  @Text({ description: 'The record that it proves; null of an erasure.', ...RECORD_ID, nullable: true }) recordId!:
    string | null;
  @Text({ description: 'Path of the receipt.', example: `/v1/receipts/${RECEIPT_ID.example}`, maxLength: 60 })
  receipt!: string;
  @Timestamp({ description: 'When what it proves was recorded.' }) issuedAt!: string;
}

const RECEIPT_ISSUED: WebhookType = {
  type: 'receipt.issued',
  description: 'There is a receipt of a decision, of preferences, of a confirmation or of an erasure.',
  isAboutSubject: true,
  object: IssuedReceiptDto,
  previous: null,
};

/** Which receipt an event has, and the record that it proves, if any. */
interface Proof {
  receiptId: string;
  recordId: string | null;
}

/** Announces the receipt of an event. `proofIn` answers null where the receipt of another event stands for this one too. */
export const receiptIssued = <D>(
  about: About,
  proofIn: (data: D, subjectId: string | null) => Proof | null,
  sample?: D,
): AnnouncedAs<D> => ({
  webhook: RECEIPT_ISSUED,
  announce: ({ data, subjectId, recordedAt }) => {
    const proof = proofIn(data, subjectId);
    if (!proof) return null;
    const { receiptId: id, recordId } = proof;
    return {
      occurredAt: recordedAt,
      object: { object: 'receipt', id, about, recordId, receipt: `/v1/receipts/${id}`, issuedAt: recordedAt },
      previous: null,
    };
  },
  ...(sample && { sample }),
});

/** The receipt of a record, which has the same ULID. */
export const recordReceiptIssued = (about: About, sample?: { recordId: string }): AnnouncedAs<{ recordId: string }> =>
  receiptIssued(about, ({ recordId }) => ({ receiptId: sameUlid('rct', recordId), recordId }), sample);
