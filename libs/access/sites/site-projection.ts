import { defineProjection } from '../../following/projections/projection.js';
import type { Position } from '../../kernel/index.js';
import { SITE_EVENTS, type SiteEvent, type SiteSettings } from '../events.js';
import { siteFold, type KeyState, type SiteState } from '../state.js';

/** Prefix of the streams of sites; the name of the site follows. */
export const SITE_PREFIX = 'site-';

export interface ProjectedSite {
  /** Of the last folded event. */
  revision: number;
  position: Position;
  state: SiteState;
}

/**
 * `read.site_state`: one row per site, the fold of its stream with all keys that it ever had. Secrets in it are hashed or
 * sealed, as in the log. A process that starts loads sites and keys from here.
 */
export const siteStateProjection = defineProjection<ProjectedSite | null, SiteEvent>({
  name: 'site_state',
  version: 1,
  on: SITE_EVENTS.map(({ type }) => type as SiteEvent['type']),
  streams: [SITE_PREFIX],
  key: (event) => event.stream.slice(SITE_PREFIX.length),
  initial: () => null,
  evolve: (before, event) => ({
    revision: event.revision,
    position: event.position,
    state: siteFold.evolve(before?.state ?? siteFold.initial(), event),
  }),
  rows: (site, projected) =>
    projected
      ? [
          {
            site,
            revision: BigInt(projected.revision),
            position: projected.position,
            registered: projected.state.site !== null,
            settings: projected.state.settings,
            keys: [...projected.state.keys.values()],
          },
        ]
      : [],
  load: (site, [row]) => ({
    revision: Number(row!.revision),
    position: row!.position as Position,
    state: {
      site: row!.registered ? site : null,
      settings: row!.settings as SiteSettings,
      keys: new Map((row!.keys as KeyState[]).map((key) => [key.keyId, key])),
    },
  }),
  table: {
    columns: {
      site: 'text collate "C" not null',
      revision: 'bigint not null',
      position: 'bigint not null',
      registered: 'boolean not null',
      // json and not jsonb: members keep their order, so a state from a row equals the state from the events.
      settings: 'json not null',
      keys: 'json not null',
    },
    keyColumn: 'site',
    primaryKey: ['site'],
  },
});
