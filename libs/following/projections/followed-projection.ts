import type { DomainEvent, Position } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { Codec } from '../../streams/codec.js';
import { Follower } from '../follower.js';
import { liveStates } from './live-states.js';
import type { EventLog, RecordedEvent } from '../../log/port.js';
import { projected, type Projection } from './projection.js';

export interface FollowedOptions<State, E extends DomainEvent> {
  log: EventLog;
  codec: Codec;
  projection: Projection<State | null, E>;
  /** Where its rows are; absent: everything is read from the log. */
  rows?: Queries | undefined;
  /** Called after states have changed, with their keys. */
  changed?: (keys: ReadonlySet<string>) => void;
  /** A clock that is never set, in ms. */
  nowMs?: (() => number) | undefined;
}

/**
 * A small read model in the memory of a process, some milliseconds behind the log. It begins with the rows of the live
 * generation, where those are of this version, and follows the log from their checkpoint.
 */
export class FollowedProjection<State extends { revision: number }, E extends DomainEvent> {
  readonly follower: Follower;
  private readonly states = new Map<string, State>();
  private readonly types: ReadonlySet<string>;

  constructor(private readonly options: FollowedOptions<State, E>) {
    const { log, projection, rows, nowMs } = options;
    this.types = new Set(projection.on);
    this.follower = new Follower({
      log,
      prefixes: projection.streams,
      ...(rows && { stored: () => this.takeRows(rows) }),
      take: (events) => this.take(events),
      ...(nowMs && { nowMs }),
    });
  }

  get(key: string): State | undefined {
    return this.states.get(key);
  }

  all(): IterableIterator<State> {
    return this.states.values();
  }

  private async takeRows(rows: Queries): Promise<Position | null> {
    const stored = await liveStates(rows, this.options.projection);
    if (stored === null) return null;
    for (const [key, state] of stored.states) if (state !== null) this.states.set(key, state);
    this.options.changed?.(new Set(stored.states.keys()));
    return stored.position;
  }

  private take(events: readonly RecordedEvent[]): void {
    const { projection, codec, changed } = this.options;
    const keys = new Set<string>();
    for (const event of events) {
      if (codec.isLeftOut(event, projection.name)) continue;
      if (codec.knows(event.type) && !this.types.has(event.type)) continue;
      const happened = projected<E>(projection, codec, event);
      const key = projection.key(happened);
      if (key === null) continue;
      const before = this.states.get(key) ?? null;
      // Its row was further than the checkpoint.
      if (before !== null && event.revision <= before.revision) continue;
      this.states.set(key, projection.evolve(before ?? projection.initial(key), happened)!);
      keys.add(key);
    }
    if (keys.size > 0) changed?.(keys);
  }
}
