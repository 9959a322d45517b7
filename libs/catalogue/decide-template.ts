import { canonicalJson, hashOf, type Instant } from '../kernel/index.js';
import type { CatalogueEvent } from './events.js';
import type { CatalogueState } from './state.js';
import { fieldsOf, type TemplateDefinition } from './template-definition.js';

/** The template file of the operator. */
export interface TemplateFile {
  definition: TemplateDefinition;
  /** What changed, for the version this file would become. */
  summary?: string;
  effectiveFrom?: Instant;
}

/** What applying a file would do; the operator sees it as a table. */
export interface CatalogueDiff {
  object: 'purpose' | 'preference_template';
  key: string;
  action: 'PUBLISH' | 'RETIRE' | 'NONE';
  version: number;
  changed: string[];
}

/** Publishes the template as a new version where it differs from the newest. */
export function applyTemplate(
  { definition, summary, effectiveFrom }: TemplateFile,
  { templates }: CatalogueState,
  at: Instant,
  events: CatalogueEvent[],
): CatalogueDiff {
  const newest = templates.at(-1);
  const line = { object: 'preference_template', key: 'preference_template' } as const;
  const definitionHash = hashOf(definition);
  if (newest?.definitionHash === definitionHash)
    return { ...line, action: 'NONE', version: newest.version, changed: [] };
  const version = (newest?.version ?? 0) + 1;
  const change = { from: newest?.version ?? null, summary: summary ?? (newest ? 'Changed.' : 'First version.') };
  events.push({
    type: 'TemplatePublished',
    data: { definition, version, change, definitionHash, effectiveFrom: effectiveFrom ?? at, publishedAt: at },
  });
  return { ...line, action: 'PUBLISH', version, changed: newest ? changedParts(newest.definition, definition) : [] };
}

/** The parts that differ, by name: `channels.sms`, `sections.topics`, `fields.language`; `order` where they only moved. */
function changedParts(before: TemplateDefinition, after: TemplateDefinition): string[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  return changed.length > 0 ? changed : ['order'];
}

const partsOf = (definition: TemplateDefinition): Map<string, string> =>
  new Map([
    ['defaultLocale', definition.defaultLocale],
    ...definition.channels.map((channel): [string, string] => [`channels.${channel.key}`, canonicalJson(channel)]),
    ...definition.sections.map(({ key, title }): [string, string] => [`sections.${key}`, canonicalJson(title)]),
    ...fieldsOf(definition).map((field): [string, string] => [`fields.${field.key}`, canonicalJson(field)]),
  ]);
