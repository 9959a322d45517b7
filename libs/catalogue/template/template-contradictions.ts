import type { Issue } from '../../kernel/index.js';
import type { PurposeDefinition } from '../purpose-definition.js';
import {
  FREQUENCIES,
  fieldsOf,
  type FieldKind,
  type FieldValidation,
  type TemplateDefinition,
  type TemplateField,
} from './template-definition.js';
import { twice, untranslated, type Say, type Texts } from '../texts/texts.js';
import { valueProblem } from './template-values.js';

const MOST_FIELDS = 200;
const WITH_OPTIONS: readonly FieldKind[] = ['SELECT', 'MULTI_SELECT', 'FREQUENCY'];
const LIMITS: Partial<Record<FieldKind, readonly (keyof FieldValidation)[]>> = {
  NUMBER: ['min', 'max', 'whole'],
  MULTI_SELECT: ['min', 'max'],
  TEXT: ['maxLength', 'pattern'],
};

/** Duplicates in a template, and contradictions within it or with the purposes. Paths begin at the template. */
export function templateContradictions(
  definition: TemplateDefinition,
  purposeOf: (key: string) => PurposeDefinition | undefined,
): Issue[] {
  const { channels, sections } = definition;
  const found: Issue[] = [];
  const say = (path: string, message: string): void => void found.push({ path, message });
  const fields = fieldsOf(definition);
  if (fields.length > MOST_FIELDS)
    return [{ path: 'sections', message: `must hold at most ${MOST_FIELDS} fields altogether` }];
  const placed = sections.flatMap((section, s) =>
    section.fields.map((field, f) => ({ field, at: `sections[${s}].fields[${f}]` })),
  );
  twice(
    channels.map(({ key }, c) => [`channels[${c}].key`, key]),
    say,
  );
  twice(
    sections.map(({ key }, s) => [`sections[${s}].key`, key]),
    say,
  );
  twice(
    placed.map(({ field, at }) => [`${at}.key`, field.key]),
    say,
  );
  twice(
    placed
      .filter(({ field }) => field.topic !== null)
      .map(({ field, at }) => [`${at}.topic`, `${field.channel} ${field.topic}`]),
    say,
  );
  untranslated(definition.defaultLocale, textsOf(definition, placed), 'template', say);
  const topics = new Set(fields.map(({ topic }) => topic));
  for (const { field, at } of placed) {
    if (topics.has(field.key) && field.topic !== field.key)
      say(`${at}.key`, 'is also a topic of another field: the name would mean two things');
    for (const [member, key] of [
      ['key', field.key],
      ['topic', field.topic],
    ] as const)
      if (key !== null && key in Object.prototype) say(`${at}.${member}`, 'is a name that cannot be used as a key');
    if ((field.channel === null) !== (field.topic === null)) say(at, 'must name channel and topic, or neither');
    else if (field.channel !== null && !channels.some(({ key }) => key === field.channel))
      say(`${at}.channel`, 'is not among the channels of the template');
    const purpose = field.purposeKey === null ? undefined : purposeOf(field.purposeKey);
    if (field.purposeKey !== null && !purpose)
      say(`${at}.purposeKey`, 'names no purpose of the catalogue or of this folder');
    ofItsKind(field, at, say);
    if (field.topic !== null) ofTopic(field, at, purpose, definition, say);
    if (field.default !== null && valueProblem(field, field.default)) say(`${at}.default`, 'does not fit the field');
  }
  return found;
}

function ofTopic(
  field: TemplateField,
  at: string,
  purpose: PurposeDefinition | undefined,
  { channels }: TemplateDefinition,
  say: Say,
): void {
  if (field.kind !== 'TOGGLE') say(`${at}.kind`, 'must be TOGGLE where the field is a topic');
  if (field.required) say(`${at}.required`, 'cannot be true: a topic can always be refused');
  if (field.default === true && field.doubleOptIn !== 'NONE')
    say(`${at}.default`, 'cannot be true where a double opt-in is asked for');
  // A box ticked beforehand is no consent: CJEU C-673/17 (Planet49), GDPR recital 32.
  else if (field.default === true && purpose?.consentModel === 'OPT_IN')
    say(`${at}.default`, 'cannot be true for a purpose whose model is OPT_IN');
  const verification = channels.find(({ key }) => key === field.channel)?.verification;
  if (field.doubleOptIn === 'IF_UNVERIFIED' && verification === 'NONE')
    say(`${at}.doubleOptIn`, 'cannot be IF_UNVERIFIED on a channel that nothing verifies');
}

function ofItsKind({ kind, topic, options, validation, doubleOptIn }: TemplateField, at: string, say: Say): void {
  const frequencies: readonly string[] = FREQUENCIES;
  if (topic === null && doubleOptIn !== 'NONE') say(`${at}.doubleOptIn`, 'must be NONE where the field is not a topic');
  if (WITH_OPTIONS.includes(kind) && options.length === 0)
    say(`${at}.options`, `must not be empty where the kind is ${kind}`);
  if (!WITH_OPTIONS.includes(kind) && topic === null && options.length > 0)
    say(`${at}.options`, `must be left out where the kind is ${kind}`);
  twice(
    options.map(({ value }, o) => [`${at}.options[${o}].value`, value]),
    say,
  );
  if (kind === 'FREQUENCY' || topic !== null)
    options.forEach(
      ({ value }, o) =>
        frequencies.includes(value) || say(`${at}.options[${o}].value`, `must be one of ${FREQUENCIES.join(', ')}`),
    );
  const { min, max } = validation;
  for (const name of Object.keys(validation) as (keyof FieldValidation)[])
    if (!LIMITS[kind]?.includes(name)) say(`${at}.validation.${name}`, `cannot be said where the kind is ${kind}`);
  if (min !== undefined && max !== undefined && min > max) say(`${at}.validation.max`, 'must not be below min');
  if (kind === 'MULTI_SELECT')
    for (const [name, limit] of [
      ['min', min],
      ['max', max],
    ] as const)
      if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0 && limit <= options.length))
        say(`${at}.validation.${name}`, 'must be a number of options that can be chosen');
}

/** Every text of a template by its place. */
const textsOf = (
  { channels, sections }: TemplateDefinition,
  placed: readonly { field: TemplateField; at: string }[],
): [path: string, text: Texts][] => [
  ...channels.map(({ label }, c): [string, Texts] => [`channels[${c}].label`, label]),
  ...sections.map(({ title }, s): [string, Texts] => [`sections[${s}].title`, title]),
  ...placed.flatMap(({ field, at }): [string, Texts][] => [
    [`${at}.label`, field.label],
    ...(field.help ? [[`${at}.help`, field.help] as [string, Texts]] : []),
    ...field.options.map(({ label }, o): [string, Texts] => [`${at}.options[${o}].label`, label]),
  ]),
];
