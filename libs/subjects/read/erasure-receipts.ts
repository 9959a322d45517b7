import { Inject, Injectable } from '@nestjs/common';
import type { ReceiptSource, UnsignedReceipt } from '../../context/receipt-source.js';
import type { EventIndex, EventPlace } from '../../following/projections/event-index.js';
import type { Stream } from '../../streams/stream.js';
import { subjectStream, type Position } from '../../kernel/index.js';
import { erasureReceipt, RECEIPT_INDEX } from '../../receipts/index.js';
import type { SubjectErasedData, SubjectEvent } from '../events.js';
import type { SubjectState } from '../state.js';
import { SUBJECT_STREAMS } from '../tokens.js';

/** The receipts of erasures, as the erasing requests were answered. */
@Injectable()
export class ErasureReceipts implements ReceiptSource {
  constructor(
    @Inject(RECEIPT_INDEX) private readonly index: EventIndex,
    @Inject(SUBJECT_STREAMS) private readonly streams: Stream<SubjectState, SubjectEvent>,
  ) {}

  place(receiptId: string, after: Position | null): Promise<EventPlace | null> {
    return this.index.find(receiptId, after);
  }

  async receipt(receiptId: string, after: Position | null): Promise<UnsignedReceipt | null> {
    const place = await this.place(receiptId, after);
    if (!place) return null;
    const { site, env, subjectId, revision } = place;
    const [event] = await this.streams.at(subjectStream(place, subjectId), [revision]);
    if (event!.type !== 'SubjectErased') return null;
    const facts = event!.data as SubjectErasedData;
    return {
      site,
      env,
      subjectId,
      recordedAt: facts.erasedAt,
      subjectErasedAt: facts.erasedAt,
      receipt: erasureReceipt({ ...facts, subjectId, site, env }),
      kantara: null,
    };
  }
}
