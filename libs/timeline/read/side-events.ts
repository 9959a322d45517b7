import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { Position, ReadProgress } from '../../kernel/index.js';
import { Codec } from '../../streams/codec.js';
import type { EventsAside, JoinedEvent } from '../../streams/joined-history.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { Vault } from '../../vault/vault.js';
import { SIDE_EVENTS, SIDE_EVENTS_PROGRESS } from './side-events.projection.js';

/** How long a page waits for the rows to come as far as what it shows, in ms. */
const ROWS_WITHIN_MS = 1_500;

// Of each subject the newest, by its index; of those the newest.
const BEFORE = {
  name: 'side_events_before',
  text: `select found.* from unnest($1::text[]) as member(id)
         cross join lateral (
           select subject_id, position from read.${SIDE_EVENTS}
           where subject_id = member.id and position < $2 order by position desc limit $3
         ) found
         order by found.position desc limit $3`,
};
/** Most events of one read. */
const FULL = 200;
const NO_BOUND = 2n ** 63n - 1n;

interface PlaceRow {
  subject_id: string;
  position: Position;
}

/** Events that are about subjects and stand on other streams than theirs. */
@Injectable()
export class SideEvents {
  constructor(
    private readonly database: Database,
    @Inject(SIDE_EVENTS_PROGRESS) private readonly progress: ReadProgress,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly codec: Codec,
    private readonly vault: Vault,
  ) {}

  /**
   * Those of a family, newest first. `seen`: the caller's own last write, which is among them. Rejects with
   * DependencyUnavailable where the rows do not come as far in time: what stands between two events that are shown must
   * not be missing.
   */
  of(seen: Position | null): EventsAside {
    return (asked) => this.newestFirst(asked, seen);
  }

  private async *newestFirst(
    { subjectIds, before, newest, first }: Parameters<EventsAside>[0],
    seen: Position | null,
  ): AsyncGenerator<JoinedEvent, undefined> {
    let bound = before ?? (await this.complete(newest, seen));
    for (let count = first; ; count = FULL) {
      const rows = await this.database.query<PlaceRow>(BEFORE, [subjectIds, bound, count]);
      yield* await this.read(rows);
      if (rows.length < count) return;
      bound = rows.at(-1)!.position;
    }
  }

  /** In clear; without what operators left out. */
  private async read(rows: readonly PlaceRow[]): Promise<JoinedEvent[]> {
    const subjectAt = new Map(rows.map(({ position, subject_id }) => [position, subject_id]));
    const recorded = await this.log.readAt([...subjectAt.keys()]);
    const kept = recorded.filter((event) => !this.codec.isLeftOut(event)).reverse();
    return Promise.all(
      kept.map(async (event): Promise<JoinedEvent> => {
        const { id, revision, position, metadata } = event;
        const subjectId = subjectAt.get(position)!;
        const { type, data } = this.codec.decode(event, await this.vault.cipherOf(subjectId));
        return { subjectId, isAside: true, event: { type, data, id, revision, position, metadata } };
      }),
    );
  }

  /** Behind the last position of which it is known that every event up to it has its row. */
  private async complete(newest: Position | null, seen: Position | null): Promise<Position> {
    const wanted = newest !== null && (seen === null || newest > seen) ? newest : seen;
    if (wanted !== null && !(await this.progress.reached(wanted, ROWS_WITHIN_MS)))
      throw new DependencyUnavailable('read model of the timeline');
    return wanted === null ? NO_BOUND : this.progress.position() + 1n;
  }
}
