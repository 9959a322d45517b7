import type { Release } from '../operator/context.js';
import { COMPOSITION } from './contexts.js';

/** What follows the log, and what is due for subjects, as operators are shown it. */
export const FOLLOWED: Pick<Release, 'projections' | 'sinks' | 'chores'> = {
  projections: COMPOSITION.readModels.map(({ projection }) => projection),
  sinks: COMPOSITION.sinks.map(({ name, streams, acceptLog }) => ({ name, version: 1, streams, acceptLog })),
  chores: COMPOSITION.chores.filter((chore) => chore.due !== undefined),
};
