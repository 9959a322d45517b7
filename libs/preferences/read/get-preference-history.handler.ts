import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CATALOGUE, resolveField, templateInForce, topicPath, type Catalogue } from '../../catalogue/index.js';
import {
  type HistoryPlace,
  isRefusal,
  parseReference,
  type Reader,
  Refused,
  type DomainEvent,
  type Instant,
  type Scope,
} from '../../kernel/index.js';
import type { Happened } from '../../streams/stream.js';
import { historyPageOf, type Page } from '../../http/list.js';
import type { PreferenceEvent } from '../events.js';
import type { PreferenceHistoryItemDto } from './dto.js';
import { historyItem, isAbout, isOfPreferences } from './history-item.js';
import { PreferenceReader } from './reader.js';

/** What a subject wanted and when, replayed from its streams, newest first. */
export class GetPreferenceHistory extends Query<Page<PreferenceHistoryItemDto>> {
  constructor(
    readonly caller: Reader,
    readonly ref: string,
    readonly filter: { field?: string; from?: Instant; to?: Instant },
    readonly limit: number,
    /** The last event that was looked at. */
    readonly after: HistoryPlace | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetPreferenceHistory)
export class GetPreferenceHistoryHandler implements IQueryHandler<GetPreferenceHistory> {
  constructor(
    private readonly reader: PreferenceReader,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
  ) {}

  async execute({ caller, ref, filter, ...wanted }: GetPreferenceHistory): Promise<Page<PreferenceHistoryItemDto>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const field = filter.field === undefined ? undefined : this.fullName(caller, filter.field);
    const isWanted = (event: Happened<DomainEvent>): event is Happened<PreferenceEvent> =>
      isOfPreferences(event) &&
      isWithin(event.metadata.recordedAt, filter) &&
      (field === undefined || isAbout(event, field));
    const page = await this.reader.history(caller, reference, wanted, ({ event, mergedFrom }) =>
      isWanted(event) ? historyItem(event, mergedFrom) : null,
    );
    return historyPageOf(page);
  }

  /** Of a template's key the name that events carry; anything else may be the name of something that the template no longer has. */
  private fullName(scope: Scope, field: string): string {
    const resolved = resolveField(templateInForce(this.catalogue.of(scope), this.reader.clock()), field, undefined);
    return !isRefusal(resolved) && resolved.kind === 'topic' ? topicPath(resolved.channel, resolved.topic) : field;
  }
}

const isWithin = (recordedAt: Instant, { from, to }: GetPreferenceHistory['filter']): boolean =>
  (from === undefined || recordedAt >= from) && (to === undefined || recordedAt < to);
