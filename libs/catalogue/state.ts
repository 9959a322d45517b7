import type { Fold, Instant } from '../kernel/index.js';
import type { DocumentKind, DocumentPublishedData } from './document.js';
import { DOCUMENTS, type DefinitionOf, type DocumentName } from './documents.js';
import type { CatalogueEvent, PurposePublishedData } from './events.js';
import { adoptedListOf, type AdoptedVendorList } from './adopted-list.js';
import { withPublished, type Publication, type PublishedObject } from './editing/publications.js';
import type { CatalogueEditing } from './editing/settings.js';

/** One purpose with every version it ever had, oldest first. */
export interface CataloguedPurpose {
  key: string;
  versions: readonly PurposePublishedData[];
  retiredAt: Instant | null;
}

export interface CatalogueState {
  /** By key. */
  purposes: Readonly<Record<string, CataloguedPurpose>>;
  /** Every version of each document, oldest first; a document that was never published has no entry. */
  documents: Readonly<{ [N in DocumentName]?: readonly DocumentPublishedData<DefinitionOf<N>>[] }>;
  /** The TCF vendor lists that the site has used, oldest first. Absent until it adopts one. */
  vendorLists?: readonly AdoptedVendorList[];
  /** Absent until an operator changes it: EDITED_IN_FILES. */
  editing?: CatalogueEditing;
  /** What was published together, oldest first: version n of the catalogue is the n-th. Absent: nothing was. */
  publications?: readonly Publication[];
  /** Revision of the last draft that was published, in the stream of drafts. Absent: none was. */
  draftPublished?: number;
}

export const initialCatalogue = (): CatalogueState => ({ purposes: {}, documents: {} });

const KIND_OF_EVENT = new Map<string, DocumentKind<DocumentName, string, unknown>>(
  DOCUMENTS.map((kind) => [kind.event, kind]),
);

/** `metadata` is absent where a publication is only supposed. */
type FoldedCatalogueEvent = CatalogueEvent & { metadata?: { actor: string } };

export function evolveCatalogue(state: CatalogueState, event: FoldedCatalogueEvent): CatalogueState {
  const by = event.metadata?.actor ?? null;
  switch (event.type) {
    case 'PurposePublished': {
      const key = event.data.definition.key;
      const versions = [...(purposeOf(state, key)?.versions ?? []), event.data];
      const purposes = { ...state.purposes, [key]: { key, versions, retiredAt: null } };
      const { version, publishedAt: at } = event.data;
      return published({ ...state, purposes }, { at, by }, { object: 'purpose', key, action: 'PUBLISH', version });
    }
    case 'PurposeRetired': {
      const { key, version, retiredAt } = event.data;
      const purpose = purposeOf(state, key);
      if (!purpose) return state;
      const purposes = { ...state.purposes, [key]: { ...purpose, retiredAt } };
      const change = { object: 'purpose', key, action: 'RETIRE', version } as const;
      return published({ ...state, purposes }, { at: retiredAt, by }, change);
    }
    case 'CatalogueEditingChanged':
      return { ...state, editing: event.data };
    case 'CatalogueDraftPublished': {
      const { draft, editedBy, publishedAt: at } = event.data;
      const publication: Publication = { at, by, source: 'CONSOLE', editedBy, changes: [] };
      return { ...state, draftPublished: draft, publications: [...(state.publications ?? []), publication] };
    }
    case 'VendorListAdopted':
      return { ...state, vendorLists: [...(state.vendorLists ?? []), adoptedListOf(event.data)] };
    default: {
      const kind = KIND_OF_EVENT.get(event.type);
      if (!kind) return state;
      const versions = [...versionsOf(state, kind), event.data];
      const documents = { ...state.documents, [kind.name]: versions } as CatalogueState['documents'];
      const { version, publishedAt: at } = event.data;
      const change = { object: kind.object, key: kind.object, action: 'PUBLISH', version } as const;
      return published({ ...state, documents }, { at, by }, change);
    }
  }
}

const published = (
  state: CatalogueState,
  by: Pick<Publication, 'at' | 'by'>,
  change: PublishedObject,
): CatalogueState => ({ ...state, publications: withPublished(state.publications ?? [], by, change) });

/** The number of the newest version of the catalogue; 0 before the first publication. */
export const catalogueVersion = ({ publications = [] }: CatalogueState): number => publications.length;

export const catalogueFold: Fold<CatalogueState, FoldedCatalogueEvent> = {
  initial: initialCatalogue,
  evolve: evolveCatalogue,
};

/** A purpose by its key. The key may be any text that a caller sent. */
export const purposeOf = (state: CatalogueState, key: string): CataloguedPurpose | undefined =>
  Object.hasOwn(state.purposes, key) ? state.purposes[key] : undefined;

/** Every version of a document, oldest first. */
export const versionsOf = <D>(
  { documents }: CatalogueState,
  { name }: DocumentKind<DocumentName, string, D>,
): readonly DocumentPublishedData<D>[] => (documents[name] ?? []) as readonly DocumentPublishedData<D>[];

/** The version of a document that is in force at a moment: the newest whose time has come. Undefined before the first. */
export const documentInForce = <D>(
  state: CatalogueState,
  kind: DocumentKind<DocumentName, string, D>,
  at: Instant,
): DocumentPublishedData<D> | undefined => versionsOf(state, kind).findLast(({ effectiveFrom }) => effectiveFrom <= at);

/** The version in force at a moment: the newest whose time has come. Undefined before the first. */
export function versionInForce(purpose: CataloguedPurpose | undefined, at: Instant): PurposePublishedData | undefined {
  return purpose?.versions.findLast((version) => version.effectiveFrom <= at);
}

/** Whether the purpose takes no new grants at a moment. */
export const isRetired = (purpose: CataloguedPurpose, at: Instant): boolean =>
  purpose.retiredAt !== null && purpose.retiredAt <= at;

/** The newest material change in force: grants for older versions need renewal. */
export function lastMaterialVersion(purpose: CataloguedPurpose, at: Instant): number {
  return (
    purpose.versions.findLast((version) => version.effectiveFrom <= at && version.change.kind === 'MATERIAL')
      ?.version ?? 1
  );
}

/** Since when people who granted a purpose earlier must be asked again, because a vendor asks for more; null: no need. */
export const vendorsAskMoreSince = (
  { vendorLists = [] }: CatalogueState,
  purpose: string,
  at: Instant,
): Instant | null =>
  vendorLists.findLast(({ adoptedAt, renewals }) => adoptedAt <= at && renewals.includes(purpose))?.adoptedAt ?? null;

/**
 * The moments at which versions, and the site's own rules in them, take effect, sorted: there the clock alone changes
 * what is in force.
 */
export const turningPointsOf = ({ purposes, documents }: CatalogueState): Instant[] =>
  [
    ...Object.values(purposes).flatMap(({ versions }) => versions),
    ...Object.values(documents).flat(),
    ...(documents.policies ?? []).flatMap(({ definition }) => definition.policies),
  ]
    .flatMap(({ effectiveFrom }) => effectiveFrom ?? [])
    .sort();

/** Purposes in force at a moment, in the order of their keys. */
export function purposesInForce(state: CatalogueState, at: Instant): CataloguedPurpose[] {
  return Object.keys(state.purposes)
    .sort()
    .map((key) => state.purposes[key]!)
    .filter((purpose) => versionInForce(purpose, at));
}
