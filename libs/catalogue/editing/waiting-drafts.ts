import type { Queries } from '../../engines/database/database.js';
import type { Environment, Scope } from '../../kernel/index.js';
import type { Catalogue } from '../catalogue.js';
import { catalogueDraftsProjection } from './drafts.projection.js';
import { editingOf } from './settings.js';

const WAITING = {
  name: 'catalogue_drafts_waiting',
  text: `select split_part(scope, '.', 1) as site, split_part(scope, '.', 2) as env, revision::int as revision
         from read.${catalogueDraftsProjection.name} where scope = any($1::text[])`,
};

/**
 * Of these places, those whose draft waits for the approval of another operator. From rows, by one statement. Rejects with
 * DependencyUnavailable.
 */
export async function draftsForApproval(
  database: Queries,
  catalogue: Pick<Catalogue, 'of'>,
  places: readonly Scope[],
): Promise<Scope[]> {
  const asking = places.filter((place) => {
    const { owner, approval } = editingOf(catalogue.of(place));
    return owner === 'CONSOLE' && approval === 'FOUR_EYES';
  });
  if (asking.length === 0) return [];
  const rows = await database.query<Scope & { revision: number }>(WAITING, [
    asking.map(({ site, env }) => `${site}.${env}`),
  ]);
  return rows
    .filter(({ revision, ...place }) => revision > (catalogue.of(place).draftPublished ?? -1))
    .map(({ site, env }) => ({ site, env: env as Environment }));
}
