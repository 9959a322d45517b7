import { sameUlid, type Instant } from '../../kernel/index.js';
import { OneOf, Text, Timestamp } from '../../http/contract/fields.js';
import { defineWebhook, type LoggedEvent, type Told, type WebhookType } from './webhook-type.js';
import { RECEIPT_ID, RECORD_ID } from './fields.js';

const ABOUT = {
  ConsentRecorded: 'CONSENT',
  PreferenceSet: 'PREFERENCES',
  PreferenceConfirmed: 'CONFIRMATION',
  SubjectErased: 'ERASURE',
} as const;
type Receipted = keyof typeof ABOUT;

export class IssuedReceiptDto {
  @OneOf(['receipt'], { description: 'What this is.', example: 'receipt' }) object!: string;
  @Text({ description: 'Id of the receipt.', ...RECEIPT_ID }) id!: string;
  @OneOf(Object.values(ABOUT), { description: 'What it is about.', example: 'CONSENT' }) about!: string;
  @Text({ description: 'The record that it proves; null of an erasure.', ...RECORD_ID, nullable: true }) recordId!:
    string | null;
  @Text({ description: 'Path of the receipt.', example: `/v1/receipts/${RECEIPT_ID.example}`, maxLength: 60 })
  receipt!: string;
  @Timestamp({ description: 'When what it proves was recorded.' }) issuedAt!: string;
}

/** All that is looked at: the id of the record, or of the receipt itself. */
type Proven = { recordId: string } | { receiptId: string; rootId: string };

function issued({ type, data, subjectId, recordedAt }: LoggedEvent<Proven>): Told | null {
  // Of subjects that were erased together, one receipt stands for all: that of the one who was asked about.
  if ('rootId' in data)
    return data.rootId === subjectId ? told(data.receiptId, null, 'SubjectErased', recordedAt) : null;
  return told(sameUlid('rct', data.recordId), data.recordId, type as Receipted, recordedAt);
}

const told = (id: string, recordId: string | null, type: Receipted, issuedAt: Instant): Told => ({
  occurredAt: issuedAt,
  object: { object: 'receipt', id, about: ABOUT[type], recordId, receipt: `/v1/receipts/${id}`, issuedAt },
  previous: null,
});

export const RECEIPT_WEBHOOKS: readonly WebhookType[] = [
  defineWebhook<Proven>({
    type: 'receipt.issued',
    description: 'There is a receipt of a decision, of preferences, of a confirmation or of an erasure.',
    object: IssuedReceiptDto,
    previous: null,
    on: Object.keys(ABOUT),
    tells: issued,
    sample: { recordId: RECORD_ID.example },
  }),
];
