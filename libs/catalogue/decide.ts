import {
  canonicalJson,
  happened,
  hashOf,
  refusal,
  type Decision,
  type Instant,
  type Issue,
  type Refusal,
} from '../kernel/index.js';
import { applyDocument, type CatalogueDiff } from './decide-document.js';
import type { DocumentInput, DocumentKind, Surroundings } from './document.js';
import { DOCUMENTS, type DefinitionOf, type DocumentName } from './documents.js';
import type { CatalogueEvent, PurposeDefinition, PurposePublishedData } from './events.js';
import { isRetired, purposeOf, versionsOf, type CatalogueState } from './state.js';

/** One purpose file of the operator. */
export interface PurposeFile {
  definition: PurposeDefinition;
  status: 'PUBLISHED' | 'RETIRED';
  /** What changed, for the version that this file becomes; MATERIAL (ask again) unless the operator says EDITORIAL. */
  change?: { kind?: 'MATERIAL' | 'EDITORIAL'; summary?: string };
  effectiveFrom?: Instant;
}

/** Files that an operator publishes together. */
export type CatalogueFiles = { purposes: readonly PurposeFile[] } & {
  [N in DocumentName]?: DocumentInput<DefinitionOf<N>>;
};

/** Most places that a refusal names. */
const MOST_ISSUES = 20;
/** Limit of one append, which publishes all files together. */
const MOST_BYTES = 800_000;

/** Publishes the files that differ as new versions; no event if none differs. An object without a file is not changed. */
export function applyCatalogue(
  files: CatalogueFiles,
  state: CatalogueState,
  at: Instant,
): Decision<CatalogueEvent> & { diff?: CatalogueDiff[] } {
  const refused = contradictionsIn(files, state, at);
  if (refused) return refused;
  const { events, diff } = supposeCatalogue(files, state, at);
  if (Buffer.byteLength(JSON.stringify(events)) > MOST_BYTES)
    return refusal(
      'validation_failed',
      'What would be published is too large for one step.',
      `Apply fewer files at once: at most ${MOST_BYTES} bytes of what differs. Nothing was published.`,
    );
  return { ...happened(...events), diff };
}

/** Why files cannot be published, whatever their size; null where they can. */
function contradictionsIn(files: CatalogueFiles, state: CatalogueState, at: Instant): Refusal | null {
  const { purposes } = files;
  const around = surroundingsOf(files, state, at);
  const documents = documentsIn(files);
  const issues = [
    ...purposes.flatMap((file, index) => purposeContradictions(file, index, purposes)),
    ...documents.flatMap(({ kind, input }) => within(kind.name, kind.contradictions(input.definition, around))),
  ];
  if (issues.length > 0)
    return refusal(
      'validation_failed',
      'The catalogue contradicts itself.',
      'Mend the named entries and apply the folder again; nothing was published.',
      issues.slice(0, MOST_ISSUES),
    );
  for (const { kind, input } of documents) {
    const forbidden = kind.forbids?.(input.definition, around);
    if (forbidden) return { ...forbidden, issues: within(kind.name, forbidden.issues).slice(0, MOST_ISSUES) };
  }
  return null;
}

/** What publishing files would come to, also where they contradict themselves: for looking at, not for publishing. */
export function supposeCatalogue(
  files: CatalogueFiles,
  state: CatalogueState,
  at: Instant,
): { events: CatalogueEvent[]; diff: CatalogueDiff[] } {
  const events: CatalogueEvent[] = [];
  const diff: CatalogueDiff[] = [];
  for (const file of files.purposes) diff.push(applyPurpose(file, state, at, events));
  for (const { kind, input } of documentsIn(files)) diff.push(applyDocument(kind, input, state, at, events));
  return { events, diff };
}

type AnyKind = DocumentKind<DocumentName, string, unknown>;

/** The documents among the files, in the order of their list. */
const documentsIn = (files: CatalogueFiles): { kind: AnyKind; input: DocumentInput<unknown> }[] =>
  DOCUMENTS.flatMap((kind) => {
    const input = files[kind.name];
    return input ? [{ kind: kind as AnyKind, input }] : [];
  });

const within = (name: string, issues: readonly Issue[]): Issue[] =>
  issues.map(({ path, message }) => ({ path: path === '' ? name : `${name}.${path}`, message }));

/** The catalogue as if the files were published. */
function surroundingsOf(files: CatalogueFiles, state: CatalogueState, at: Instant): Surroundings {
  const fileOf = (key: string): PurposeFile | undefined =>
    files.purposes.find(({ definition, status }) => definition.key === key && status === 'PUBLISHED');
  const isEnded = (key: string): boolean => {
    const known = purposeOf(state, key);
    return (
      !fileOf(key) && (!known || isRetired(known, at) || files.purposes.some((file) => file.definition.key === key))
    );
  };
  return {
    at,
    purposeOf: (key) => fileOf(key)?.definition ?? purposeOf(state, key)?.versions.at(-1)?.definition,
    purposeKeys: () => {
      const keys = [...Object.keys(state.purposes), ...files.purposes.map(({ definition }) => definition.key)];
      return [...new Set(keys)].filter((key) => !isEnded(key)).sort();
    },
    documentOf: <D>(kind: DocumentKind<string, string, D>) => {
      const own = kind as DocumentKind<DocumentName, string, D>;
      const input = files[own.name] as DocumentInput<D> | undefined;
      return input?.definition ?? versionsOf(state, own).at(-1)?.definition;
    },
  };
}

function applyPurpose(file: PurposeFile, state: CatalogueState, at: Instant, events: CatalogueEvent[]): CatalogueDiff {
  const key = file.definition.key;
  const line = { object: 'purpose', key } as const;
  const known = purposeOf(state, key);
  const newest = known?.versions.at(-1);
  const definitionHash = hashOf(file.definition);
  const retired = known !== undefined && isRetired(known, at);
  if (file.status === 'RETIRED') {
    if (!newest || retired) return { ...line, action: 'NONE', version: newest?.version ?? 0, changed: [] };
    events.push({ type: 'PurposeRetired', data: { key, version: newest.version, retiredAt: at } });
    return { ...line, action: 'RETIRE', version: newest.version, changed: ['status'] };
  }
  if (newest && newest.definitionHash === definitionHash && !retired)
    return { ...line, action: 'NONE', version: newest.version, changed: [] };
  const version = (newest?.version ?? 0) + 1;
  const data: PurposePublishedData = {
    definition: file.definition,
    version,
    change: {
      from: newest?.version ?? null,
      kind: file.change?.kind ?? 'MATERIAL',
      summary: file.change?.summary ?? (newest ? 'Changed.' : 'First version.'),
    },
    definitionHash,
    effectiveFrom: file.effectiveFrom ?? at,
    publishedAt: at,
  };
  events.push({ type: 'PurposePublished', data });
  return {
    ...line,
    action: 'PUBLISH',
    version,
    changed: newest ? changedMembers(newest.definition, file.definition) : [],
  };
}

/** Names of the members that differ. */
export function changedMembers(before: PurposeDefinition, after: PurposeDefinition): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof PurposeDefinition>;
  return [...names].filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null));
}

/** Contradictions within the purpose of a file, or between it and another file. */
export function purposeContradictions(file: PurposeFile, index: number, files: readonly PurposeFile[]): Issue[] {
  const { definition } = file;
  const at = `purposes[${index}]`;
  const found: Issue[] = [];
  if (files.findIndex((other) => other.definition.key === definition.key) !== index)
    found.push({ path: `${at}.key`, message: 'stands twice' });
  if (definition.key in Object.prototype)
    found.push({ path: `${at}.key`, message: 'is a name that cannot be used as a key' });
  if (!definition.translations[definition.defaultLocale])
    found.push({ path: `${at}.translations`, message: 'lacks the default locale' });
  if (definition.consentModel === 'OPT_IN' && definition.legalBasis !== 'CONSENT')
    found.push({ path: `${at}.legalBasis`, message: 'must be CONSENT where the model is OPT_IN' });
  if (definition.consentModel === 'ALWAYS_ON' && definition.legalBasis === 'CONSENT')
    found.push({
      path: `${at}.legalBasis`,
      message: 'cannot be CONSENT where the model is ALWAYS_ON: consent can be refused',
    });
  return found;
}
