import { Inject, Injectable } from '@nestjs/common';
import type { ReceiptSource, UnsignedReceipt } from '../../context/receipt-source.js';
import type { EventIndex, EventPlace } from '../../following/projections/event-index.js';
import type { Happened, Stream } from '../../streams/stream.js';
import { subjectStream, type Position } from '../../kernel/index.js';
import { RECEIPT_INDEX } from '../../receipts/index.js';
import { standingOf } from '../../subjects/index.js';
import type { PreferenceEvent } from '../events.js';
import { confirmationReceipt, preferenceReceipt, recordOn, type RecordedWhere } from '../receipt.js';
import { PREFERENCE_STREAMS, type FoldedByPreferences, type PreferenceState } from '../state.js';

/** The receipts of preferences and confirmations. `read.receipts` says where each record stands; everything else is read from the log. */
@Injectable()
export class PreferenceReceipts implements ReceiptSource {
  constructor(
    @Inject(RECEIPT_INDEX) private readonly index: EventIndex,
    @Inject(PREFERENCE_STREAMS) private readonly streams: Stream<PreferenceState, FoldedByPreferences>,
  ) {}

  place(receiptId: string, after: Position | null): Promise<EventPlace | null> {
    return this.index.find(receiptId, after);
  }

  async receipt(receiptId: string, after: Position | null): Promise<UnsignedReceipt | null> {
    const place = await this.place(receiptId, after);
    if (!place) return null;
    const { site, env, subjectId, revision } = place;
    const stream = subjectStream(place, subjectId);
    const event = (await this.streams.at(stream, [revision]))[0] as Happened<PreferenceEvent>;
    if (event.type !== 'PreferenceSet' && event.type !== 'PreferenceConfirmed') return null;
    const [before, { state }] = await Promise.all([
      this.streams.stateBefore(stream, revision),
      this.streams.load(stream),
    ]);
    const where: RecordedWhere = { site, env, subjectId, previousRecordOf: (field) => recordOn(before, field) };
    const recordedAt = event.type === 'PreferenceSet' ? event.data.recordedAt : event.data.confirmedAt;
    const receipt =
      event.type === 'PreferenceSet' ? preferenceReceipt(event.data, where) : confirmationReceipt(event.data, where);
    return { site, env, subjectId, recordedAt, subjectErasedAt: standingOf(state).erasedAt, receipt, kantara: null };
  }
}
