import type { Codec } from '../streams/codec.js';
import { FollowedProjection } from '../following/projections/followed-projection.js';
import type { Follower } from '../following/follower.js';
import type { EventLog } from '../log/port.js';
import { catalogueStream, type Instant, type Position, type Scope } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import type { Catalogue } from './catalogue.js';
import type { CatalogueEvent } from './events.js';
import { CATALOGUE_PREFIX, catalogueStateProjection, type ProjectedCatalogue } from './projection.js';
import { initialCatalogue, turningPointsOf, type CatalogueState } from './state.js';

const NOTHING: CatalogueState = initialCatalogue();

/**
 * The catalogue of every scope in memory. Operators publish it by hand, so it stays small. With `rows` it begins with the
 * rows of `read.catalogue_state`, and it follows the log from there.
 */
export class CatalogueDirectory implements Catalogue {
  readonly follower: Follower;
  private readonly known: FollowedProjection<ProjectedCatalogue, CatalogueEvent>;
  /** When versions take effect, sorted: a version whose time comes changes answers without an event. */
  private readonly turningPoints = new Map<string, readonly Instant[]>();

  constructor(log: EventLog, codec: Codec, rows?: Queries) {
    this.known = new FollowedProjection({
      log,
      codec,
      projection: catalogueStateProjection,
      rows,
      changed: (scopes) => {
        for (const scope of scopes) this.turningPoints.set(scope, turningPointsOf(this.known.get(scope)!.state));
      },
    });
    this.follower = this.known.follower;
  }

  /** Throws DependencyUnavailable until it holds everything published: before that, "unknown" could be false. */
  of(scope: Scope): CatalogueState {
    if (!this.follower.isReady) throw new DependencyUnavailable('event log');
    return this.known.get(keyOf(scope))?.state ?? NOTHING;
  }

  tag(scope: Scope, at: Instant): string {
    const key = keyOf(scope);
    const turningPoints = this.turningPoints.get(key) ?? [];
    let passed = turningPoints.length;
    while (passed > 0 && turningPoints[passed - 1]! > at) passed--;
    return `${this.known.get(key)?.revision ?? -1}.${passed}`;
  }

  reached(position: Position, ms: number): Promise<boolean> {
    return this.follower.reached(position, ms);
  }
}

const keyOf = (scope: Scope): string => catalogueStream(scope).slice(CATALOGUE_PREFIX.length);
