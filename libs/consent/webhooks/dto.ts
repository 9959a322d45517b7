import { PURPOSE_KEY, RECEIPT_ID, RECORD_ID } from '../../context/webhook-fields.js';
import { Flag, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { CONSENT_STATES, DECISIONS, SOURCES } from '../events.js';

/** A decision, as recording it answered. */
export class AnnouncedConsentDto {
  @OneOf(['consent_record'], { description: 'What this is.', example: 'consent_record' }) object!: string;
  @Text({ description: 'Id of the record.', ...RECORD_ID }) id!: string;
  @Text({ description: 'Key of the purpose.', ...PURPOSE_KEY }) purpose!: string;
  @Whole({ description: 'Version of the purpose.', example: 1 }) purposeVersion!: number;
  @OneOf(DECISIONS, { description: 'The decision.', example: 'GRANTED' }) decision!: string;
  @OneOf(CONSENT_STATES, { description: 'State of the purpose after this record.', example: 'GRANTED' }) state!: string;
  @OneOf(SOURCES, { description: 'Who asserts the record.', example: 'API' }) source!: string;
  @Timestamp({ description: 'When it was decided.' }) givenAt!: string;
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @Timestamp({ description: 'When the grant ends; null for no end.', nullable: true }) expiresAt!: string | null;
  @Whole({ description: 'Place in the subject’s history, counted from 0.', example: 2 }) sequence!: number;
  @Text({ description: 'Id of the receipt.', ...RECEIPT_ID }) receiptId!: string;
  @Flag({ description: 'False where a newer decision already stood.', example: true }) appliedToState!: boolean;
  @Text({ description: 'The record that stands instead.', ...RECORD_ID, nullable: true }) supersededBy!: string | null;
}

/** How a purpose stood before. */
export class PreviousConsentDto {
  @OneOf(CONSENT_STATES, { description: 'State before.', example: 'NOT_COLLECTED' }) state!: string;
}

/** A grant that ran out. */
export class ExpiredConsentDto {
  @OneOf(['consent_record'], { description: 'What this is.', example: 'consent_record' }) object!: string;
  @Text({ description: 'The record that ran out.', ...RECORD_ID }) id!: string;
  @Text({ description: 'Key of the purpose.', ...PURPOSE_KEY }) purpose!: string;
  @OneOf(CONSENT_STATES, { description: 'State since then.', example: 'EXPIRED' }) state!: string;
  @Timestamp({ description: 'When it ran out.' }) expiredAt!: string;
}
