import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { joinedHistory, type HistoryPlace } from '../../event-log/joined-history.js';
import type { Happened, SubjectStream } from '../../event-log/subject-stream.js';
import { isRefusal, parseReference, Refused, sameUlid, type DomainEvent, type Instant, type Scope } from '../../kernel/index.js';
import { writeHistoryCursor, type Page } from '../../platform/http/list.js';
import { Vault } from '../../platform/vault/vault.js';
import { familyOf, standingOf } from '../../subjects/index.js';
import type { ConsentEvent } from '../events.js';
import { CONSENT_STREAMS, type ConsentState, type FoldedByConsent } from '../state.js';
import type { ConsentHistoryItemDto } from './dto.js';
import { ConsentReader } from './reader.js';

/** Events looked at for one answer; a page that is not full by then says that more may follow. */
const MOST_LOOKED_AT = 2_000;

/** The history of one subject, replayed from its streams, newest first. */
export class GetConsentHistory {
  constructor(
    readonly scope: Scope,
    readonly ref: string,
    readonly filter: { purpose?: string; from?: Instant; to?: Instant },
    readonly limit: number,
    /** The last event that was looked at. */
    readonly after: HistoryPlace | undefined,
  ) {}
}

@QueryHandler(GetConsentHistory)
export class GetConsentHistoryHandler implements IQueryHandler<GetConsentHistory, Page<ConsentHistoryItemDto>> {
  constructor(
    @Inject(CONSENT_STREAMS) private readonly streams: SubjectStream<ConsentState, FoldedByConsent>,
    private readonly reader: ConsentReader,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, ref, filter, limit, after }: GetConsentHistory): Promise<Page<ConsentHistoryItemDto>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const { subjectId: rootId, state } = await this.reader.find(scope, reference, (id) => this.reader.fold(scope, id));
    if (rootId === null) return { data: [], nextCursor: null, hasMore: false };
    const members = [rootId, ...familyOf(standingOf(state))];
    const data: ConsentHistoryItemDto[] = [];
    let last: HistoryPlace | undefined;
    let lookedAt = 0;
    for await (const { subjectId, event } of joinedHistory({ streams: this.streams, cipherOf: (id) => this.vault.cipherOf(id) }, scope, members, after)) {
      if (isWanted(event, filter)) {
        // One more than is shown: only then it is known that more follows.
        if (data.length === limit) return pageTo(data, last!);
        data.push(item(event, subjectId === rootId ? null : subjectId));
      }
      last = { position: event.position, subjectId, revision: event.revision };
      if (++lookedAt === MOST_LOOKED_AT) return pageTo(data, last);
    }
    return { data, nextCursor: null, hasMore: false };
  }
}

/** What is shown never changes its place: whatever is written or merged meanwhile, the next page joins without gap or repeat. */
const pageTo = (data: ConsentHistoryItemDto[], last: HistoryPlace): Page<ConsentHistoryItemDto> => ({ data, nextCursor: writeHistoryCursor(last), hasMore: true });

function isWanted(event: Happened<DomainEvent>, { purpose, from, to }: GetConsentHistory['filter']): event is Happened<ConsentEvent> {
  if (event.type !== 'ConsentRecorded' && event.type !== 'ConsentExpired') return false;
  if (purpose !== undefined && (event as ConsentEvent).data.purpose !== purpose) return false;
  const { recordedAt } = event.metadata;
  return (from === undefined || recordedAt >= from) && (to === undefined || recordedAt < to);
}

function item(event: Happened<ConsentEvent>, mergedFrom: string | null): ConsentHistoryItemDto {
  const common = { sequence: event.revision, eventId: event.id, mergedFrom };
  if (event.type === 'ConsentExpired') {
    const { recordId, purpose, expiredAt } = event.data;
    return { object: 'consent_expiry', id: recordId, ...common, receiptId: null, purpose, state: 'EXPIRED', recordedAt: event.metadata.recordedAt, expiresAt: expiredAt };
  }
  const { recordId, ...recorded } = event.data;
  return { object: 'consent_record', id: recordId, ...common, receiptId: sameUlid('rct', recordId), ...recorded };
}
