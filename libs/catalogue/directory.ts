import type { Codec } from '../event-log/codec.js';
import { Follower } from '../event-log/follower.js';
import type { EventLog } from '../event-log/port.js';
import { type Position, catalogueStream, type Instant, type Scope } from '../kernel/index.js';
import { DependencyUnavailable } from '../platform/dependency-unavailable.js';
import type { Catalogue } from './catalogue.js';
import type { CatalogueEvent } from './events.js';
import { evolveCatalogue, initialCatalogue, type CatalogueState } from './state.js';

interface Known {
  state: CatalogueState;
  revision: number;
  /** When versions take effect, sorted: a version whose time comes changes answers without an event. */
  turningPoints: Instant[];
}

const NOTHING: Known = { state: initialCatalogue(), revision: -1, turningPoints: [] };

/** The catalogue of every scope in memory, following the log. Published by operators, so it stays small. */
export class CatalogueDirectory implements Catalogue {
  readonly follower: Follower;
  private readonly known = new Map<string, Known>();

  constructor(log: EventLog, codec: Codec) {
    this.follower = new Follower({
      log,
      prefixes: ['catalogue-'],
      take: (events) => {
        for (const event of events) {
          const before = this.known.get(event.stream) ?? NOTHING;
          const decoded = codec.decode(event) as CatalogueEvent;
          const state = evolveCatalogue(before.state, decoded);
          const turningPoints =
            decoded.type !== 'PurposeRetired'
              ? [...before.turningPoints, decoded.data.effectiveFrom].sort()
              : before.turningPoints;
          this.known.set(event.stream, { state, revision: event.revision, turningPoints });
        }
      },
    });
  }

  /** Before everything published has been seen, "unknown" would mean nothing: refuses with DependencyUnavailable. */
  of(scope: Scope): CatalogueState {
    if (!this.follower.isReady) throw new DependencyUnavailable('event log');
    return (this.known.get(catalogueStream(scope)) ?? NOTHING).state;
  }

  tag(scope: Scope, at: Instant): string {
    const { revision, turningPoints } = this.known.get(catalogueStream(scope)) ?? NOTHING;
    let passed = turningPoints.length;
    while (passed > 0 && turningPoints[passed - 1]! > at) passed--;
    return `${revision}.${passed}`;
  }

  reached(position: Position, ms: number): Promise<boolean> {
    return this.follower.reached(position, ms);
  }
}
