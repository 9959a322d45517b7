import { canonicalJson, happened, hashOf, refusal, type Decision, type Instant, type Issue } from '../kernel/index.js';
import type { CatalogueEvent, PurposeDefinition, PurposePublishedData } from './events.js';
import { isRetired, purposeOf, type CatalogueState } from './state.js';

/** One purpose file of the operator. */
export interface PurposeFile {
  definition: PurposeDefinition;
  status: 'PUBLISHED' | 'RETIRED';
  /** What changed, for the version this file would become; MATERIAL (ask again) unless the operator says EDITORIAL. */
  change?: { kind?: 'MATERIAL' | 'EDITORIAL'; summary?: string };
  effectiveFrom?: Instant;
}

/** What applying a file would do; the operator sees it as a table. */
export interface PurposeDiff {
  key: string;
  action: 'PUBLISH' | 'RETIRE' | 'NONE';
  version: number;
  changed: string[];
}

/** Publishes what differs as new versions, and nothing where nothing differs. Purposes without a file are left alone. */
export function applyCatalogue(files: readonly PurposeFile[], state: CatalogueState, at: Instant): Decision<CatalogueEvent> & { diff?: PurposeDiff[] } {
  const issues = files.flatMap((file, index) => contradictions(file, index, files));
  if (issues.length > 0) return refusal('validation_failed', 'The catalogue contradicts itself.', 'Mend the named entries and apply the folder again; nothing was published.', issues);
  const events: CatalogueEvent[] = [];
  const diff: PurposeDiff[] = [];
  for (const file of files) diff.push(applyPurpose(file, state, at, events));
  return { ...happened(...events), diff };
}

function applyPurpose(file: PurposeFile, state: CatalogueState, at: Instant, events: CatalogueEvent[]): PurposeDiff {
  const key = file.definition.key;
  const known = purposeOf(state, key);
  const newest = known?.versions.at(-1);
  const definitionHash = hashOf(file.definition);
  const retired = known !== undefined && isRetired(known, at);
  if (file.status === 'RETIRED') {
    if (!newest || retired) return { key, action: 'NONE', version: newest?.version ?? 0, changed: [] };
    events.push({ type: 'PurposeRetired', data: { key, version: newest.version, retiredAt: at } });
    return { key, action: 'RETIRE', version: newest.version, changed: ['status'] };
  }
  if (newest && newest.definitionHash === definitionHash && !retired) return { key, action: 'NONE', version: newest.version, changed: [] };
  const version = (newest?.version ?? 0) + 1;
  const data: PurposePublishedData = {
    definition: file.definition,
    version,
    change: { from: newest?.version ?? null, kind: file.change?.kind ?? 'MATERIAL', summary: file.change?.summary ?? (newest ? 'Changed.' : 'First version.') },
    definitionHash,
    effectiveFrom: file.effectiveFrom ?? at,
    publishedAt: at,
  };
  events.push({ type: 'PurposePublished', data });
  return { key, action: 'PUBLISH', version, changed: newest ? changedMembers(newest.definition, file.definition) : [] };
}

function changedMembers(before: PurposeDefinition, after: PurposeDefinition): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof PurposeDefinition>;
  return [...names].filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null));
}

function contradictions(file: PurposeFile, index: number, files: readonly PurposeFile[]): Issue[] {
  const { definition } = file;
  const at = `purposes[${index}]`;
  const found: Issue[] = [];
  if (files.findIndex((other) => other.definition.key === definition.key) !== index) found.push({ path: `${at}.key`, message: 'stands twice' });
  if (definition.key in Object.prototype) found.push({ path: `${at}.key`, message: 'is a name that cannot be used as a key' });
  if (!definition.translations[definition.defaultLocale]) found.push({ path: `${at}.translations`, message: 'lacks the default locale' });
  if (definition.consentModel === 'OPT_IN' && definition.legalBasis !== 'CONSENT') found.push({ path: `${at}.legalBasis`, message: 'must be CONSENT where the model is OPT_IN' });
  if (definition.consentModel === 'ALWAYS_ON' && definition.legalBasis === 'CONSENT') found.push({ path: `${at}.legalBasis`, message: 'cannot be CONSENT where the model is ALWAYS_ON: consent can be refused' });
  return found;
}
