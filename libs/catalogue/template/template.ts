import { nearest, refusal, type Instant, type Refusal } from '../../kernel/index.js';
import type { DocumentPublishedData } from '../document.js';
import { documentInForce, type CatalogueState } from '../state.js';
import { fieldsOf, type TemplateDefinition, type TemplateField } from './template-definition.js';
import { TEMPLATE } from './template-document.js';
import { frequencyProblem, valueProblem, type ValueProblem } from './template-values.js';

/** One published version of the preference template. */
export type PublishedTemplate = DocumentPublishedData<TemplateDefinition>;

/** The template's field that a caller named. */
export type ResolvedField =
  | { kind: 'topic'; channel: string; topic: string; definition: TemplateField }
  | { kind: 'field'; key: string; definition: TemplateField };

/** The version in force at a moment: the newest whose time has come. Undefined before the first. */
export const templateInForce = (state: CatalogueState, at: Instant): PublishedTemplate | undefined =>
  documentInForce(state, TEMPLATE, at);

/** The full path of a topic, which names it without a channel beside it. */
export const topicPath = (channel: string, topic: string): string => `channels.${channel}.topics.${topic}`;

/**
 * Finds a field: a topic of the channel sent beside it, the key of a field, or the full path of a topic. A key is valid
 * beside a channel too, unless it names a topic of another one. Refuses with `field_unknown`; issues stand at `path`,
 * or at `channel` if the template has no such channel.
 */
export function resolveField(
  template: PublishedTemplate | undefined,
  field: string,
  channel: string | undefined,
  path = 'field',
): ResolvedField | Refusal {
  if (!template)
    return unknown(
      path,
      'cannot be known: no preference template is published',
      'Publish a template.yaml with: assent catalogue apply.',
    );
  const names = namesIn(template.definition);
  if (channel !== undefined && !names.channels.includes(channel))
    return unknown('channel', 'is no channel of the preference template', meant(nearest(channel, names.channels)));
  const found =
    (channel === undefined ? undefined : names.topics.get(topicPath(channel, field))) ??
    names.topics.get(field) ??
    names.keys.get(field);
  if (found && (channel === undefined || found.channel === null || found.channel === channel)) return resolved(found);
  if (found) return unknown(path, 'is of another channel', `Leave channel out, or send "channel": "${found.channel}".`);
  if (channel !== undefined)
    return unknown(
      path,
      'is no topic of that channel',
      meant(nearest(field, [...topicsOf(names, channel), ...names.keys.keys()])),
    );
  const channels = names.channels.filter((candidate) => names.topics.has(topicPath(candidate, field)));
  if (channels.length > 0)
    return unknown(
      path,
      'is a topic and needs its channel',
      `Send "channel" too: ${channels.map((candidate) => `"${candidate}"`).join(' or ')}.`,
    );
  return unknown(
    path,
    'is not in the preference template',
    meant(nearest(field, field.startsWith('channels.') ? names.topics.keys() : names.keys.keys())),
  );
}

/**
 * Null if the value fits the field, else `field_type_mismatch`. A topic takes true or false; null clears a typed field.
 */
export const checkValue = ({ definition }: ResolvedField, value: unknown, path = 'value'): Refusal | null =>
  mismatch(valueProblem(definition, value), path);

/** The same for a topic's frequency; null clears it. */
export const checkFrequency = ({ definition }: ResolvedField, value: unknown, path = 'frequency'): Refusal | null =>
  mismatch(frequencyProblem(definition, value), path);

interface Names {
  channels: readonly string[];
  keys: ReadonlyMap<string, TemplateField>;
  /** By full path. */
  topics: ReadonlyMap<string, TemplateField>;
}

const indexed = new WeakMap<TemplateDefinition, Names>();

function namesIn(definition: TemplateDefinition): Names {
  const known = indexed.get(definition);
  if (known) return known;
  const fields = fieldsOf(definition);
  const topics = fields.filter(({ topic }) => topic !== null);
  const names: Names = {
    channels: definition.channels.map(({ key }) => key),
    keys: new Map(fields.map((field) => [field.key, field])),
    topics: new Map(topics.map((field) => [topicPath(field.channel!, field.topic!), field])),
  };
  indexed.set(definition, names);
  return names;
}

const topicsOf = ({ topics }: Names, channel: string): string[] =>
  [...topics.values()].filter((field) => field.channel === channel).map(({ topic }) => topic!);
const resolved = (definition: TemplateField): ResolvedField =>
  definition.topic === null
    ? { kind: 'field', key: definition.key, definition }
    : { kind: 'topic', channel: definition.channel!, topic: definition.topic, definition };

const meant = (name: string | null): string =>
  name === null
    ? 'Read the fields with GET /v1/preference-template.'
    : `Did you mean "${name}"? GET /v1/preference-template has every field.`;
const unknown = (path: string, message: string, hint: string): Refusal =>
  refusal('field_unknown', 'The preference template has no such field.', hint, [{ path, message }]);
const mismatch = (problem: ValueProblem | null, path: string): Refusal | null =>
  problem &&
  refusal('field_type_mismatch', 'The value does not fit the type of the field.', problem.hint, [
    { path, message: problem.message },
  ]);
