import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SubjectTimeline } from '../../context/subject-timeline.js';
import { inSnake, type TimelineItem } from '../../context/timeline-item.js';
import { invalid } from '../../http/errors/refused.js';
import { historyPageOf, type Page } from '../../http/list.js';
import {
  isRefusal,
  parseReference,
  Refused,
  type HistoryPlace,
  type Position,
  type Reader,
} from '../../kernel/index.js';
import { SubjectHistory } from '../../subjects/services.js';
import { SideEvents } from './side-events.js';

/** All that happened to one subject and to those that were merged into it, newest first. */
export class GetTimeline extends Query<Page<TimelineItem>> {
  constructor(
    readonly caller: Reader,
    readonly ref: string,
    /** In lower_snake; undefined: all. */
    readonly types: readonly string[] | undefined,
    readonly wanted: { after: HistoryPlace | undefined; limit: number },
    /** The caller's own last write, which is among the events. */
    readonly seen: Position | null,
  ) {
    super();
  }
}

@QueryHandler(GetTimeline)
export class GetTimelineHandler implements IQueryHandler<GetTimeline> {
  constructor(
    private readonly history: SubjectHistory,
    private readonly sideEvents: SideEvents,
    private readonly timeline: SubjectTimeline,
  ) {}

  async execute({ caller, ref, types, wanted, seen }: GetTimeline): Promise<Page<TimelineItem>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const asked = types && new Set(types);
    const { own, aside } = this.timeline.itemTypes();
    ensureKnown(types, [...own, ...aside]);
    const isAsideAsked = !asked || aside.some((type) => asked.has(type));
    const page = await this.history.history(
      caller,
      reference,
      wanted,
      (happened) => (!asked || asked.has(inSnake(happened.event.type)) ? this.timeline.itemOf(happened) : null),
      isAsideAsked ? this.sideEvents.of(seen) : undefined,
    );
    return historyPageOf(page);
  }
}

function ensureKnown(asked: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = (asked ?? []).flatMap((type, i) => (known.includes(type) ? [] : [i]));
  if (unknown.length === 0) return;
  throw invalid(
    unknown.map((i) => ({ path: `types[${i}]`, message: 'is no type of event that a timeline shows' })),
    `Ask for types by the names that items have: ${[...known].sort().join(', ')}.`,
  );
}
