import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  type HistoryPlace,
  isRefusal,
  parseReference,
  type Reader,
  Refused,
  type DomainEvent,
  type Instant,
} from '../../kernel/index.js';
import type { Happened } from '../../streams/stream.js';
import { historyPageOf, type Page } from '../../http/list.js';
import type { ConsentEvent } from '../events.js';
import type { ConsentHistoryItemDto } from './dto.js';
import { consentHistoryItem } from './history-item.js';
import { ConsentReader } from './reader.js';

/** The history of one subject, replayed from its streams, newest first. */
export class GetConsentHistory extends Query<Page<ConsentHistoryItemDto>> {
  constructor(
    readonly caller: Reader,
    readonly ref: string,
    readonly filter: { purpose?: string; from?: Instant; to?: Instant },
    readonly limit: number,
    /** The last event that was looked at. */
    readonly after: HistoryPlace | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetConsentHistory)
export class GetConsentHistoryHandler implements IQueryHandler<GetConsentHistory> {
  constructor(private readonly reader: ConsentReader) {}

  async execute({ caller, ref, filter, ...wanted }: GetConsentHistory): Promise<Page<ConsentHistoryItemDto>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const page = await this.reader.history(caller, reference, wanted, ({ event, mergedFrom }) =>
      isWanted(event, filter) ? consentHistoryItem(event, mergedFrom) : null,
    );
    return historyPageOf(page);
  }
}

function isWanted(
  event: Happened<DomainEvent>,
  { purpose, from, to }: GetConsentHistory['filter'],
): event is Happened<ConsentEvent> {
  if (event.type !== 'ConsentRecorded' && event.type !== 'ConsentExpired') return false;
  if (purpose !== undefined && (event as ConsentEvent).data.purpose !== purpose) return false;
  const { recordedAt } = event.metadata;
  return (from === undefined || recordedAt >= from) && (to === undefined || recordedAt < to);
}
