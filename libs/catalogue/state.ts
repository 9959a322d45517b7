import type { Fold, Instant } from '../kernel/index.js';
import type { CatalogueEvent, PurposePublishedData } from './events.js';

/** One purpose with every version it ever had, oldest first. */
export interface CataloguedPurpose {
  key: string;
  versions: readonly PurposePublishedData[];
  retiredAt: Instant | null;
}

export type CatalogueState = Readonly<Record<string, CataloguedPurpose>>;

export const initialCatalogue = (): CatalogueState => ({});

export function evolveCatalogue(state: CatalogueState, event: CatalogueEvent): CatalogueState {
  switch (event.type) {
    case 'PurposePublished': {
      const key = event.data.definition.key;
      const versions = [...(state[key]?.versions ?? []), event.data];
      return { ...state, [key]: { key, versions, retiredAt: null } };
    }
    case 'PurposeRetired': {
      const purpose = state[event.data.key];
      return purpose ? { ...state, [purpose.key]: { ...purpose, retiredAt: event.data.retiredAt } } : state;
    }
  }
}

export const catalogueFold: Fold<CatalogueState, CatalogueEvent> = { initial: initialCatalogue, evolve: evolveCatalogue };

/** The version in force at a moment: the newest whose time has come. Undefined before the first. */
export function versionInForce(purpose: CataloguedPurpose | undefined, at: Instant): PurposePublishedData | undefined {
  return purpose?.versions.findLast((version) => version.effectiveFrom <= at);
}

/** Whether the purpose takes no new grants at a moment. */
export const isRetired = (purpose: CataloguedPurpose, at: Instant): boolean => purpose.retiredAt !== null && purpose.retiredAt <= at;

/** The newest material change in force: grants for older versions want renewal. */
export function lastMaterialVersion(purpose: CataloguedPurpose, at: Instant): number {
  return purpose.versions.findLast((version) => version.effectiveFrom <= at && version.change.kind === 'MATERIAL')?.version ?? 1;
}

/** Purposes in force at a moment, in the order of their keys. */
export function purposesInForce(state: CatalogueState, at: Instant): CataloguedPurpose[] {
  return Object.values(state)
    .filter((purpose) => versionInForce(purpose, at))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
