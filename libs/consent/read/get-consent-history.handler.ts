import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Happened, SubjectStream } from '../../event-log/subject-stream.js';
import { isRefusal, parseReference, Refused, sameUlid, subjectStream, type DomainEvent, type Instant, type Scope } from '../../kernel/index.js';
import { writeCursor, type Page } from '../../platform/http/list.js';
import { Vault } from '../../platform/vault/vault.js';
import type { ConsentEvent } from '../events.js';
import { CONSENT_STREAMS, type ConsentState } from '../state.js';
import type { ConsentHistoryItemDto } from './dto.js';

const PAGE = 200;
/** Events looked at for one answer; a page that is not full by then says that more may follow. */
const MOST_LOOKED_AT = 2_000;

/** The history of one subject, replayed from its stream, newest first. */
export class GetConsentHistory {
  constructor(
    readonly scope: Scope,
    readonly ref: string,
    readonly filter: { purpose?: string; from?: Instant; to?: Instant },
    readonly limit: number,
    /** Revision to go on from, downwards. */
    readonly before: number | undefined,
  ) {}
}

@QueryHandler(GetConsentHistory)
export class GetConsentHistoryHandler implements IQueryHandler<GetConsentHistory, Page<ConsentHistoryItemDto>> {
  constructor(
    @Inject(CONSENT_STREAMS) private readonly streams: SubjectStream<ConsentState, ConsentEvent>,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, ref, filter, limit, before }: GetConsentHistory): Promise<Page<ConsentHistoryItemDto>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const subject = await this.vault.find(scope, reference);
    const empty = { data: [], nextCursor: null, hasMore: false };
    if (!subject) return empty;
    const stream = subjectStream(scope, subject.subjectId);
    const cipher = await this.vault.cipherOf(subject.subjectId);
    const data: ConsentHistoryItemDto[] = [];
    let next = before;
    for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += PAGE) {
      const events = await this.streams.backwards(stream, next, PAGE, cipher);
      for (const event of events) {
        if (isWanted(event, filter)) {
          // One more than is shown: only then it is known that more follows.
          if (data.length === limit) return pageTo(data, next!);
          data.push(item(event));
        }
        next = event.revision - 1;
      }
      if (events.length < PAGE || next === -1) return { data, nextCursor: null, hasMore: false };
    }
    return pageTo(data, next ?? -1);
  }
}

/** Revisions only grow at the other end: whatever is written meanwhile, the next page joins without gap or repeat. */
const pageTo = (data: ConsentHistoryItemDto[], next: number): Page<ConsentHistoryItemDto> =>
  next < 0 ? { data, nextCursor: null, hasMore: false } : { data, nextCursor: writeCursor([next]), hasMore: true };

function isWanted(event: Happened<DomainEvent>, { purpose, from, to }: GetConsentHistory['filter']): event is Happened<ConsentEvent> {
  if (event.type !== 'ConsentRecorded' && event.type !== 'ConsentExpired') return false;
  if (purpose !== undefined && (event as ConsentEvent).data.purpose !== purpose) return false;
  const { recordedAt } = event.metadata;
  return (from === undefined || recordedAt >= from) && (to === undefined || recordedAt < to);
}

function item(event: Happened<ConsentEvent>): ConsentHistoryItemDto {
  const common = { sequence: event.revision, eventId: event.id, mergedFrom: null };
  if (event.type === 'ConsentExpired') {
    const { recordId, purpose, expiredAt } = event.data;
    return { object: 'consent_expiry', id: recordId, ...common, receiptId: null, purpose, state: 'EXPIRED', recordedAt: event.metadata.recordedAt, expiresAt: expiredAt };
  }
  const { recordId, ...recorded } = event.data;
  return { object: 'consent_record', id: recordId, ...common, receiptId: sameUlid('rct', recordId), ...recorded };
}
