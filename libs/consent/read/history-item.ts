import { sameUlid } from '../../kernel/index.js';
import type { Happened } from '../../streams/stream.js';
import type { ConsentEvent } from '../events.js';
import type { ConsentHistoryItemDto } from './dto.js';

/** Everything that was recorded. */
export function consentHistoryItem(event: Happened<ConsentEvent>, mergedFrom: string | null): ConsentHistoryItemDto {
  const common = { sequence: event.revision, eventId: event.id, mergedFrom };
  if (event.type === 'ConsentExpired') {
    const { recordId, purpose, expiredAt } = event.data;
    return {
      object: 'consent_expiry',
      id: recordId,
      ...common,
      receiptId: null,
      purpose,
      state: 'EXPIRED',
      recordedAt: event.metadata.recordedAt,
      expiresAt: expiredAt,
    };
  }
  const { recordId, ...recorded } = event.data;
  return { object: 'consent_record', id: recordId, ...common, receiptId: sameUlid('rct', recordId), ...recorded };
}
