import { Inject, Injectable } from '@nestjs/common';
import { KeyDirectory } from '../../access/index.js';
import { CATALOGUE, isRetired, type Catalogue } from '../../catalogue/index.js';
import { draftsForApproval, lastPublished } from '../../catalogue/services.js';
import { endingGrants } from '../../consent/services.js';
import { mayAt, TO_LOOK, type OperatorRole } from '../../context/roles.js';
import { waitingRequests } from '../../data-requests/services.js';
import { Database } from '../../engines/database/database.js';
import {
  CLOCK,
  ENVIRONMENTS,
  type Clock,
  type Environment,
  type Position,
  type ReadProgress,
  type Scope,
} from '../../kernel/index.js';
import { LogUnavailable, type EventLog } from '../../log/port.js';
import { EVENT_LOG, READ_PROGRESS } from '../../log/tokens.js';
import { grantShares } from '../../statistics/services.js';
import { endpointTroubles } from '../../webhooks/index.js';
import { placeSummary, PLACES_MAX, PUBLISHED_MAX, type PlaceSummary } from '../summary.js';

/** More than any position: a progress that is asked for it looks once and answers how far it is. */
const FAR: Position = 2n ** 63n - 1n;

/** How each site is. One statement for each kind of figure, whatever the number of sites. */
@Injectable()
export class Summaries {
  constructor(
    private readonly database: Database,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(READ_PROGRESS) private readonly progress: ReadProgress,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Of the places that the roles reach. Rejects with DependencyUnavailable. */
  async of(
    roles: readonly OperatorRole[],
    only: { site?: string; env?: Environment },
  ): Promise<{ object: 'summary'; places: PlaceSummary[]; isCut: boolean }> {
    const at = this.clock();
    const reached = this.placesOf(roles, only);
    const places = reached.slice(0, PLACES_MAX);
    const purposes = places.flatMap((place) =>
      Object.values(this.catalogue.of(place).purposes).map((purpose) => ({ ...place, purpose })),
    );
    const named = (of: typeof purposes) => of.map(({ purpose, ...place }) => ({ ...place, purpose: purpose.key }));
    const [lagSeconds, shares, requests, endpoints, ending, drafts] = await Promise.all([
      this.lagSeconds(),
      grantShares(this.database, named(purposes), at),
      waitingRequests(this.database, places, at),
      endpointTroubles(this.database, places),
      // No person is asked again for a purpose that is retired.
      endingGrants(this.database, named(purposes.filter(({ purpose }) => !isRetired(purpose, at))), at),
      draftsForApproval(this.database, this.catalogue, places),
    ]);
    return {
      object: 'summary',
      places: places.map((place) => {
        const own = <T extends Scope>(rows: readonly T[]): T | undefined =>
          rows.find(({ site, env }) => site === place.site && env === place.env);
        const figures = {
          grants: own(shares),
          requests: own(requests),
          endpoints: own(endpoints),
          ending: own(ending)?.ending ?? 0,
          hasDraft: own(drafts) !== undefined,
          lastPublished: lastPublished(this.catalogue.of(place), PUBLISHED_MAX),
        };
        return placeSummary(place, figures, roles, lagSeconds);
      }),
      isCut: reached.length > PLACES_MAX,
    };
  }

  /** By name of the site, `test` before `live` as everywhere. */
  private placesOf(roles: readonly OperatorRole[], only: { site?: string; env?: Environment }): Scope[] {
    return this.directory
      .sites()
      .flatMap(({ site }) => site ?? [])
      .filter((site) => only.site === undefined || site === only.site)
      .sort()
      .flatMap((site) => ENVIRONMENTS.map((env) => ({ site, env })))
      .filter(({ site, env }) => (only.env === undefined || env === only.env) && mayAt(roles, TO_LOOK, { site, env }));
  }

  /** Of the rows of consent; null while the log does not answer. */
  private async lagSeconds(): Promise<number | null> {
    try {
      const [head] = await Promise.all([this.log.head(), this.progress.reached(FAR, 0)]);
      const position = this.progress.position();
      return position >= head ? 0 : Math.round((await this.log.ageAfter(position)) ?? 0) / 1_000;
    } catch (error) {
      if (error instanceof LogUnavailable) return null;
      throw error;
    }
  }
}
