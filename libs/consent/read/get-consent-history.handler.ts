import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { historyPage } from '../../event-log/joined-history.js';
import {
  type HistoryPlace,
  isRefusal,
  parseReference,
  type Reader,
  Refused,
  sameUlid,
  type DomainEvent,
  type Instant,
} from '../../kernel/index.js';
import type { Happened, Stream } from '../../event-log/stream.js';
import { writeHistoryCursor, type Page } from '../../platform/http/list.js';
import { Vault } from '../../platform/vault/vault.js';
import { familyOf, standingOf } from '../../subjects/index.js';
import type { ConsentEvent } from '../events.js';
import { CONSENT_STREAMS, type ConsentState, type FoldedByConsent } from '../state.js';
import type { ConsentHistoryItemDto } from './dto.js';
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
  constructor(
    @Inject(CONSENT_STREAMS) private readonly streams: Stream<ConsentState, FoldedByConsent>,
    private readonly reader: ConsentReader,
    private readonly vault: Vault,
  ) {}

  async execute({ caller, ref, filter, limit, after }: GetConsentHistory): Promise<Page<ConsentHistoryItemDto>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const { subjectId: rootId, state } = await this.reader.find(caller, reference, (id) =>
      this.reader.fold(caller, id),
    );
    if (rootId === null) return { data: [], nextCursor: null, hasMore: false };
    const members = [rootId, ...familyOf(standingOf(state))];
    const source = { streams: this.streams, cipherOf: (id: string) => this.vault.cipherOf(id) };
    const { data, next } = await historyPage(source, caller, members, after, limit, ({ subjectId, event }) =>
      isWanted(event, filter) ? item(event, subjectId === rootId ? null : subjectId) : null,
    );
    return { data, nextCursor: next && writeHistoryCursor(next), hasMore: next !== null };
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

function item(event: Happened<ConsentEvent>, mergedFrom: string | null): ConsentHistoryItemDto {
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
