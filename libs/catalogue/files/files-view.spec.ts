import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { fold, isRefusal, PURPOSE_CATEGORIES } from '../../kernel/index.js';
import { compile, schemaOf } from '../../http/contract/fields.js';
import { brokenText } from '../../http/contract/text-rules.js';
import { applyCatalogue, type PurposeFile } from '../decide.js';
import { PurposeFileDto, type ApplyCatalogueDto, type CatalogueFilesDto } from '../dto.js';
import { GOOGLE_CONSENT_TYPES, RECIPIENT_ROLES, type CatalogueEvent, type PurposeDefinition } from '../events.js';
import { filesOf } from './files-of-input.js';
import { fileText } from './file-texts.js';
import { asExported, catalogueFiles } from './files-view.js';
import { catalogueFold, type CatalogueState } from '../state.js';
import { TemplateFileDto } from '../template/template-dto.js';
import type { TemplateDefinition, TemplateField } from '../template/template-definition.js';

const AT = '2026-03-01T10:00:00.000Z';
const LATER = '2026-04-01T10:00:00.000Z';

const published = (definition: PurposeDefinition, effectiveFrom = AT): CatalogueEvent =>
  eventsOf({ definition, status: 'PUBLISHED', effectiveFrom }, catalogueFold.initial())[0]!;

function eventsOf(file: PurposeFile, state: CatalogueState): CatalogueEvent[] {
  const decided = applyCatalogue({ purposes: [file] }, state, AT);
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided));
  return [...decided.events];
}

const ofTemplate = (definition: TemplateDefinition): CatalogueEvent => ({
  type: 'TemplatePublished',
  data: {
    definition,
    version: 1,
    change: { from: null, summary: 'First version.' },
    // As applying would have it.
    definitionHash: hashOfTemplate(definition),
    effectiveFrom: AT,
    publishedAt: AT,
  },
});

function hashOfTemplate(definition: TemplateDefinition): string {
  const decided = applyCatalogue({ purposes: [], template: { definition } }, catalogueFold.initial(), AT);
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided));
  return (decided.events[0] as Extract<CatalogueEvent, { type: 'TemplatePublished' }>).data.definitionHash;
}

/** Export, write, read, apply: what is left to be published. */
function leftAfterExport(state: CatalogueState): CatalogueEvent[] {
  const exported = catalogueFiles(state, AT);
  const read: CatalogueFilesDto = {
    purposes: exported.purposes.map((purpose) => parse(fileText(purpose)) as PurposeFileDto),
    ...(exported.template && { template: parse(fileText(exported.template)) as TemplateFileDto }),
  };
  expect(read).toEqual(exported);
  for (const purpose of read.purposes) expect(compile(PurposeFileDto)(purpose)).toEqual([]);
  if (read.template) expect(compile(TemplateFileDto)(read.template)).toEqual([]);
  const decided = applyCatalogue(filesOf(read as ApplyCatalogueDto), state, AT);
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided));
  return [...decided.events];
}

// Whatever a person may write: signs that mean something to YAML, letters of any script, lines, and blanks at the ends.
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        ...'{}[]:#&*!|>\'"%@`-?,',
        ' ',
        '\n',
        '\t',
        '  ',
        'no',
        '~',
        '1e3',
        '0x1f',
        '2026-01-01',
        '- ',
        ': ',
        ' #',
      ),
    ),
    { minLength: 1, maxLength: 12 },
  )
  // The shortest member that takes any text takes 64 characters.
  .map((parts) => [...parts.join('')].slice(0, 60).join(''))
  .filter((each) => each.trim() !== '' && brokenText(each) === null);
const locale = fc.constantFrom('en', 'de', 'pt-BR');
const key = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,12}$/).filter((each) => !(each in Object.prototype));

const purpose: fc.Arbitrary<PurposeDefinition> = fc
  .record({
    key,
    category: fc.constantFrom(...PURPOSE_CATEGORIES),
    dataCategories: fc.array(fc.record({ key: text, sensitive: fc.boolean() }), { maxLength: 2 }),
    recipients: fc.array(
      fc.record(
        { name: text, role: fc.constantFrom(...RECIPIENT_ROLES), country: fc.constantFrom('IE', 'NO') },
        { requiredKeys: ['name', 'role'] },
      ),
      { maxLength: 2 },
    ),
    retention: fc.option(fc.constantFrom('P14M', 'P1Y')),
    controller: fc.record(
      {
        ...{ name: text, contact: text, dpoContact: text, email: fc.constant('privacy@shop.example') },
        phone: fc.constant('+49 30 901820'),
        address: fc.record(
          { streetAddress: text, addressLocality: text, addressCountry: fc.constantFrom('IE', 'NO') },
          { requiredKeys: ['streetAddress', 'addressCountry'] },
        ),
      },
      { requiredKeys: ['name', 'contact'] },
    ),
    validityDays: fc.option(fc.integer({ min: 1, max: 3650 })),
    frameworks: fc.record({
      tcf: fc.record({
        purposes: fc.array(fc.integer({ min: 1, max: 11 }), { maxLength: 2 }),
        specialFeatures: fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 1 }),
      }),
      google: fc.uniqueArray(fc.constantFrom(...GOOGLE_CONSENT_TYPES), { maxLength: 2 }),
      us: fc.array(fc.constantFrom('SALE', 'SHARING'), { maxLength: 2 }),
    }),
    gpc: fc.boolean(),
    cookies: fc.array(text, { maxLength: 2 }),
    defaultLocale: locale,
    texts: fc.dictionary(
      locale,
      fc.record({ name: text, description: text, legalText: fc.oneof(text, fc.constant('')) }),
    ),
    own: fc.record({ name: text, description: text, legalText: fc.constant('') }),
    terms: fc.constantFrom(
      { legalBasis: 'CONSENT', consentModel: 'OPT_IN' } as const,
      { legalBasis: 'CONTRACT', consentModel: 'ALWAYS_ON' } as const,
      { legalBasis: 'LEGITIMATE_INTERESTS', consentModel: 'OPT_OUT' } as const,
    ),
  })
  .map(({ texts, own, terms, ...definition }) => ({
    ...definition,
    ...terms,
    translations: { ...texts, [definition.defaultLocale]: texts[definition.defaultLocale] ?? own },
  }));

const texts = fc.record({ en: text, de: text });
const field = (n: number): fc.Arbitrary<TemplateField> =>
  fc
    .tuple(texts, fc.option(texts), fc.constantFrom('TOPIC', 'SELECT', 'NUMBER', 'TEXT'), fc.boolean())
    .map(([label, help, what, flag]) => {
      const plain: TemplateField = {
        key: `field_${n}`,
        kind: 'TOGGLE',
        label,
        help,
        channel: null,
        topic: null,
        purposeKey: null,
        options: [],
        default: null,
        required: false,
        doubleOptIn: 'NONE',
        validation: {},
      };
      if (what === 'TOPIC')
        return {
          ...plain,
          channel: 'email',
          topic: `topic_${n}`,
          default: flag ? null : false,
          doubleOptIn: flag ? 'REQUIRED' : 'NONE',
        };
      if (what === 'SELECT')
        return { ...plain, kind: 'SELECT', options: [{ value: 'A', label }], default: 'A', required: flag };
      if (what === 'NUMBER')
        return { ...plain, kind: 'NUMBER', validation: { min: 1, max: 9, whole: flag }, default: 3 };
      return { ...plain, kind: 'TEXT', validation: { maxLength: 20, pattern: 'COUNTRY' }, required: flag };
    });
const template: fc.Arbitrary<TemplateDefinition> = fc
  .record({
    label: texts,
    title: texts,
    verification: fc.constantFrom('EMAIL', 'NONE'),
    fields: fc
      .integer({ min: 1, max: 4 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => field(n)))),
  })
  .map(({ label, title, verification, fields }) => ({
    defaultLocale: 'en',
    channels: [{ key: 'email', label, verification }],
    sections: [{ key: 'all', title, fields }],
  }));

it('what is exported is read again with nothing to publish, whatever was published', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(purpose, { selector: ({ key: name }) => name, maxLength: 3 }),
      fc.option(template),
      fc.infiniteStream(fc.constantFrom('IN_FORCE', 'ANNOUNCED', 'RETIRED')),
      (definitions, wanted, states) => {
        const events = definitions.flatMap((definition): CatalogueEvent[] => {
          const state = states.next().value;
          const event = published(definition, state === 'ANNOUNCED' ? LATER : AT);
          return state === 'RETIRED'
            ? [event, { type: 'PurposeRetired', data: { key: definition.key, version: 1, retiredAt: AT } }]
            : [event];
        });
        if (wanted) events.push(ofTemplate(wanted));
        expect(leftAfterExport(fold(catalogueFold, events))).toEqual([]);
      },
    ),
    { numRuns: 100, endOnFailure: true },
  );
});

/** Every member of a file that there is, at any depth, as a path without numbers. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, path === '' ? name : `${path}.${name}`));
}

it('every member that a file can have is exported, but for what is said about its publication', () => {
  const members = (contract: typeof PurposeFileDto | typeof TemplateFileDto): string[] =>
    Object.keys((schemaOf(contract).$defs as Record<string, { properties: object }>)[contract.name]!.properties);
  const whole = fc.sample(purpose, { numRuns: 200, seed: 1 });
  const seen = new Set(
    whole.flatMap((definition) =>
      catalogueFiles(
        fold(catalogueFold, [
          published(definition, LATER),
          { type: 'PurposeRetired', data: { key: definition.key, version: 1, retiredAt: AT } },
        ]),
        AT,
      ).purposes.flatMap((file) => pathsOf(file)),
    ),
  );
  const top = new Set([...seen].map((path) => path.split(/[.[]/)[0]!));
  expect([...top].sort()).toEqual(
    members(PurposeFileDto)
      .filter((name) => name !== 'change')
      .sort(),
  );
  for (const path of [
    'controller.dpoContact',
    'controller.address.addressLocality',
    'recipients[].country',
    'translations.en.legalText',
    'frameworks.tcf.purposes[]',
  ])
    expect(seen).toContain(path);
  const templates = fc
    .sample(template, { numRuns: 50, seed: 1 })
    .map((definition) => catalogueFiles(fold(catalogueFold, [ofTemplate(definition)]), AT).template!);
  const inTemplates = new Set(templates.flatMap((file) => Object.keys(file)));
  // Its time is that of now; later ones are announced like those of purposes.
  expect([...inTemplates, 'effectiveFrom', 'change'].sort()).toEqual(members(TemplateFileDto).sort());
});

it('a file and what it is published as are written alike', () =>
  fc.assert(
    fc.property(purpose, (definition) => {
      const { purposes } = catalogueFiles(fold(catalogueFold, [published(definition)]), AT);
      expect(asExported({ purposes })).toEqual({ purposes });
    }),
  ));
