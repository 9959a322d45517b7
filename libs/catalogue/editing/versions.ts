import type { Instant } from '../../kernel/index.js';
import { changedMembers } from '../decide.js';
import { changedParts } from '../decide-document.js';
import type { DocumentKind, DocumentPublishedData } from '../document.js';
import { documentOf, type DocumentName } from '../documents.js';
import type { PurposePublishedData } from '../events.js';
import { documentFile, termsOf } from '../files/files-view.js';
import { purposeOf, versionsOf, type CatalogueState } from '../state.js';
import { differences, type FieldDifference } from './differences.js';
import type { Publication, PublishedObject } from './publications.js';

/** One object that a version of the catalogue changed. */
export interface VersionChange extends PublishedObject {
  /** Members of the purpose, or parts of the document, that differ from the version before; empty for a first one. */
  changed: string[];
  /** In the words of who published it; null where it was retired. */
  summary: string | null;
  /** Null where it was retired. */
  effectiveFrom: Instant | null;
}

/** A version of the catalogue: what was published together. */
export interface CatalogueVersion extends Omit<Publication, 'changes'> {
  version: number;
  changes: VersionChange[];
}

/** Version n of the catalogue, from 1; null where there is none. */
export function catalogueVersionAt(state: CatalogueState, n: number): CatalogueVersion | null {
  const publication = state.publications?.[n - 1];
  return publication
    ? { ...publication, version: n, changes: publication.changes.map((change) => shown(state, change)) }
    : null;
}

function shown(state: CatalogueState, change: PublishedObject): VersionChange {
  if (change.action === 'RETIRE') return { ...change, changed: ['status'], summary: null, effectiveFrom: null };
  const published = publishedOf(state, change, change.version);
  const before = publishedOf(state, change, change.version - 1);
  const kind = documentOf(change.object) as DocumentKind<DocumentName, string, unknown> | undefined;
  const changed = !before
    ? []
    : kind
      ? changedParts(kind, before.definition, published?.definition)
      : changedMembers((before as PurposePublishedData).definition, (published as PurposePublishedData).definition);
  return {
    ...change,
    changed,
    summary: published?.change.summary ?? null,
    effectiveFrom: published?.effectiveFrom ?? null,
  };
}

type Published = PurposePublishedData | DocumentPublishedData<unknown>;

function publishedOf(
  state: CatalogueState,
  { object, key }: Pick<PublishedObject, 'object' | 'key'>,
  version: number,
): Published | undefined {
  const kind = documentOf(object) as DocumentKind<DocumentName, string, unknown> | undefined;
  const versions: readonly Published[] = kind ? versionsOf(state, kind) : (purposeOf(state, key)?.versions ?? []);
  return versions.find((each) => each.version === version);
}

/** What differs in one object between two versions of the catalogue. */
export interface ObjectDifference {
  object: string;
  key: string;
  action: 'ADDED' | 'RETIRED' | 'CHANGED';
  /** Its version then, and now; null: it was not there. */
  before: number | null;
  after: number | null;
  fields: FieldDifference[];
}

export interface CatalogueDifference {
  from: number;
  to: number;
  changes: ObjectDifference[];
  /** Some fields were left out. */
  isCut: boolean;
}

/** Most fields of one answer. */
const FIELDS_MAX = 2_000;

interface Stand {
  version: number;
  retired: boolean;
}

/** The difference between two versions; 0 is the empty catalogue. Both must be there. */
export function catalogueDifference(state: CatalogueState, from: number, to: number): CatalogueDifference {
  const [then, now] = [standing(state, from), standing(state, to)];
  const names = [...new Set([...then.keys(), ...now.keys()])].sort();
  const all = names.flatMap((name): ObjectDifference[] => {
    const [before, after] = [then.get(name), now.get(name)];
    if (before?.version === after?.version && before?.retired === after?.retired) return [];
    const [object, key] = name.split(' ') as [string, string];
    const about = { object, key };
    return [
      {
        ...about,
        action: !before ? 'ADDED' : after?.retired && !before.retired ? 'RETIRED' : 'CHANGED',
        before: before?.version ?? null,
        after: after?.version ?? null,
        fields: differences(fileAt(state, about, before), fileAt(state, about, after)),
      },
    ];
  });
  let left = FIELDS_MAX;
  const changes = all.map((each) => {
    const fields = each.fields.slice(0, left);
    left -= fields.length;
    return { ...each, fields };
  });
  return { from, to, changes, isCut: all.some(({ fields }, i) => fields.length > changes[i]!.fields.length) };
}

/** Which version of each object was current in version n of the catalogue. */
function standing({ publications = [] }: CatalogueState, n: number): Map<string, Stand> {
  const objects = new Map<string, Stand>();
  for (const { changes } of publications.slice(0, n))
    for (const { object, key, action, version } of changes)
      objects.set(`${object} ${key}`, { version, retired: action === 'RETIRE' });
  return objects;
}

/** An object as its file; undefined where it was not there. */
function fileAt(
  state: CatalogueState,
  about: Pick<PublishedObject, 'object' | 'key'>,
  stand: Stand | undefined,
): object | undefined {
  const published = stand && publishedOf(state, about, stand.version);
  if (!published) return undefined;
  const kind = documentOf(about.object);
  if (kind) return documentFile(kind.name, published.definition);
  const terms = termsOf((published as PurposePublishedData).definition);
  return stand.retired ? { ...terms, status: 'RETIRED' } : terms;
}
