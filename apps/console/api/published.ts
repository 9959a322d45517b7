import type { Mark } from '../parts/plot/figures.js';
import { may, type Place } from '../session.js';
import { answered, api } from './client.js';
import type { components } from './schema.js';

export type CatalogueVersion = components['schemas']['CatalogueVersion'];

/** What was published last, newest first; nothing where the operator may not look. */
export async function publishedLast({ site, env }: Place, limit: number): Promise<CatalogueVersion[]> {
  if (!may('listCatalogueVersions', { site, env })) return [];
  const params = { path: { site, env }, query: { limit } };
  return (await answered(api.GET('/admin/v1/sites/{site}/{env}/catalogue/versions', { params }))).data;
}

/** Publications as marks in a plot. The first one is left out: before it there was nothing to compare with. */
export const marksOf = (versions: readonly CatalogueVersion[], title: (version: CatalogueVersion) => string): Mark[] =>
  versions.filter(({ version }) => version > 1).map((version) => ({ at: version.at, text: title(version) }));
