import { defineProjection } from '../following/projections/projection.js';
import { CATALOGUE_EVENTS, type CatalogueEvent } from './events.js';
import { purposesView } from './purposes.view.js';
import { catalogueFold, type CatalogueState } from './state.js';

/** Prefix of the streams of catalogues; `<site>.<env>` follows. */
export const CATALOGUE_PREFIX = 'catalogue-';

export interface ProjectedCatalogue {
  /** Of the last folded event. */
  revision: number;
  state: CatalogueState;
}

/**
 * `read.catalogue_state`: one row per site and environment, the fold of its stream with every version of every purpose
 * and document. A process that starts loads its catalogues from here.
 */
export const catalogueStateProjection = defineProjection<ProjectedCatalogue | null, CatalogueEvent>({
  name: 'catalogue_state',
  version: 2,
  on: CATALOGUE_EVENTS.map(({ type }) => type as CatalogueEvent['type']),
  streams: [CATALOGUE_PREFIX],
  key: (event) => event.stream.slice(CATALOGUE_PREFIX.length),
  initial: () => null,
  evolve: (before, event) => ({
    revision: event.revision,
    state: catalogueFold.evolve(before?.state ?? catalogueFold.initial(), event),
  }),
  rows: (scope, catalogue) =>
    catalogue ? [{ scope, revision: BigInt(catalogue.revision), state: catalogue.state }] : [],
  load: (_, [row]) => ({ revision: Number(row!.revision), state: row!.state as CatalogueState }),
  table: {
    columns: {
      scope: 'text collate "C" not null',
      revision: 'bigint not null',
      // json and not jsonb: members keep their order, so a state from a row equals the state from the events.
      state: 'json not null',
    },
    keyColumn: 'scope',
    primaryKey: ['scope'],
  },
  views: [purposesView],
});
