import { canonicalJson, happened, hashOf, refusal, type Decision, type Instant, type Issue } from '../kernel/index.js';
import { applyTemplate, type CatalogueDiff, type TemplateFile } from './decide-template.js';
import type { CatalogueEvent, PurposeDefinition, PurposePublishedData } from './events.js';
import { isRetired, purposeOf, type CatalogueState } from './state.js';
import { templateContradictions } from './template-contradictions.js';

/** One purpose file of the operator. */
export interface PurposeFile {
  definition: PurposeDefinition;
  status: 'PUBLISHED' | 'RETIRED';
  /** What changed, for the version this file would become; MATERIAL (ask again) unless the operator says EDITORIAL. */
  change?: { kind?: 'MATERIAL' | 'EDITORIAL'; summary?: string };
  effectiveFrom?: Instant;
}

/** What an operator publishes together. */
export interface CatalogueFiles {
  purposes: readonly PurposeFile[];
  template?: TemplateFile;
}

/** Refusals name this many places at most. */
const MOST_ISSUES = 20;
/** What is published together is one append, which has a limit. */
const MOST_BYTES = 800_000;

/** Publishes what differs as new versions, and nothing where nothing differs. What has no file is left alone. */
export function applyCatalogue(
  { purposes, template }: CatalogueFiles,
  state: CatalogueState,
  at: Instant,
): Decision<CatalogueEvent> & { diff?: CatalogueDiff[] } {
  const definitionOf = (key: string): PurposeDefinition | undefined =>
    purposes.find(({ definition, status }) => definition.key === key && status === 'PUBLISHED')?.definition ??
    purposeOf(state, key)?.versions.at(-1)?.definition;
  const issues = [
    ...purposes.flatMap((file, index) => purposeContradictions(file, index, purposes)),
    ...(template ? templateContradictions(template.definition, definitionOf) : []),
  ];
  if (issues.length > 0)
    return refusal(
      'validation_failed',
      'The catalogue contradicts itself.',
      'Mend the named entries and apply the folder again; nothing was published.',
      issues.slice(0, MOST_ISSUES),
    );
  const events: CatalogueEvent[] = [];
  const diff: CatalogueDiff[] = [];
  for (const file of purposes) diff.push(applyPurpose(file, state, at, events));
  if (template) diff.push(applyTemplate(template, state, at, events));
  if (Buffer.byteLength(JSON.stringify(events)) > MOST_BYTES)
    return refusal(
      'validation_failed',
      'What would be published is too large for one step.',
      `Apply fewer files at once: at most ${MOST_BYTES} bytes of what differs. Nothing was published.`,
    );
  return { ...happened(...events), diff };
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

function changedMembers(before: PurposeDefinition, after: PurposeDefinition): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof PurposeDefinition>;
  return [...names].filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null));
}

/** What the purpose of a file says against itself, or another file too. */
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
