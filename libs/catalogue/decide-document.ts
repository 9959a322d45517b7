import { hashOf, type Instant } from '../kernel/index.js';
import type { DocumentInput, DocumentKind } from './document.js';
import type { DocumentName } from './documents.js';
import type { CatalogueEvent } from './events.js';
import { versionsOf, type CatalogueState } from './state.js';

/** The effect of applying a file; the operator sees it as a table. */
export interface CatalogueDiff {
  /** `purpose`, or the name of the kind of document. */
  object: string;
  key: string;
  action: 'PUBLISH' | 'RETIRE' | 'NONE';
  version: number;
  changed: string[];
}

/** Publishes a document as a new version if it differs from the newest. */
export function applyDocument<D>(
  kind: DocumentKind<DocumentName, string, D>,
  { definition, summary, effectiveFrom }: DocumentInput<D>,
  state: CatalogueState,
  at: Instant,
  events: CatalogueEvent[],
): CatalogueDiff {
  const newest = versionsOf(state, kind).at(-1);
  const line = { object: kind.object, key: kind.object };
  const definitionHash = hashOf(definition);
  if (newest?.definitionHash === definitionHash)
    return { ...line, action: 'NONE', version: newest.version, changed: [] };
  const version = (newest?.version ?? 0) + 1;
  const change = { from: newest?.version ?? null, summary: summary ?? (newest ? 'Changed.' : 'First version.') };
  const data = { definition, version, change, definitionHash, effectiveFrom: effectiveFrom ?? at, publishedAt: at };
  events.push({ type: kind.event, data } as CatalogueEvent);
  const changed = newest ? changedParts(kind, newest.definition, definition) : [];
  return { ...line, action: 'PUBLISH', version, changed };
}

/** The names of the parts that differ; `order` if they only moved. */
export function changedParts<D>(kind: DocumentKind<string, string, D>, before: D, after: D): string[] {
  const [was, is] = [new Map(kind.partsOf(before)), new Map(kind.partsOf(after))];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  return changed.length > 0 ? changed : ['order'];
}
