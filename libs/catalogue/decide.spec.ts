import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { purposeDefinition } from '../../test/support/purposes.js';
import { decisionTest } from '../kernel/given-when-then.js';
import { fold, isRefusal, type Issue } from '../kernel/index.js';
import type { CatalogueDiff } from './decide-document.js';
import { applyCatalogue, type CatalogueFiles, type PurposeFile } from './decide.js';
import type { DocumentPublishedData } from './document.js';
import type { CatalogueEvent, PurposeDefinition } from './events.js';
import { catalogueFold, lastMaterialVersion, purposeOf, versionInForce, type CatalogueState } from './state.js';
import { checkValue, resolveField, templateInForce, topicPath, type ResolvedField } from './template/template.js';
import { FIELD_KINDS, fieldsOf, type TemplateDefinition, type TemplateField } from './template/template-definition.js';
import { templateView } from './template/template-view.js';

const AT = '2026-11-21T12:00:00.000Z';
const LATER = '2027-01-01T00:00:00.000Z';
const both = (text: string) => ({ en: text, de: `${text} (de)` });
const purpose = (key: string, more: Partial<PurposeDefinition> = {}): PurposeFile => ({
  status: 'PUBLISHED',
  definition: purposeDefinition(key, more),
});
const field = (key: string, more: Partial<TemplateField> = {}): TemplateField => ({
  key,
  kind: 'TOGGLE',
  label: both(key),
  help: null,
  channel: null,
  topic: null,
  purposeKey: null,
  options: [],
  default: null,
  required: false,
  doubleOptIn: 'NONE',
  validation: {},
  ...more,
});
const topic = (channel: string, name: string, more: Partial<TemplateField> = {}): TemplateField =>
  field(`${channel}_${name}`, { channel, topic: name, ...more });
const options = (...values: string[]) => values.map((value) => ({ value, label: both(value) }));
const CHANNELS: TemplateDefinition['channels'] = [
  { key: 'email', label: both('E-mail'), verification: 'EMAIL' },
  { key: 'push', label: both('Push'), verification: 'NONE' },
];
const holding = (...fields: TemplateField[]): TemplateDefinition => ({
  defaultLocale: 'en',
  channels: CHANNELS,
  sections: [{ key: 'all', title: both('All'), fields }],
});
const template = (
  definition: TemplateDefinition,
  more: Partial<Omit<DocumentPublishedData<TemplateDefinition>, 'definition'>> & { summary?: string } = {},
): CatalogueFiles => ({ purposes: [], template: { definition, ...more } });

const given = decisionTest<CatalogueState, CatalogueEvent, CatalogueFiles>(catalogueFold, (files, state) =>
  applyCatalogue(files, state, AT),
);
const issuesOf = (files: CatalogueFiles, state = catalogueFold.initial()): Issue[] => {
  const decided = applyCatalogue(files, state, AT);
  return isRefusal(decided) ? decided.issues : [];
};
const published = (files: CatalogueFiles, ...before: CatalogueEvent[]): CatalogueEvent[] => {
  const decided = applyCatalogue(files, fold(catalogueFold, before), AT);
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided.issues));
  return [...before, ...decided.events];
};
const diffOf = (files: CatalogueFiles, ...before: CatalogueEvent[]): CatalogueDiff[] =>
  (applyCatalogue(files, fold(catalogueFold, before), AT) as { diff: CatalogueDiff[] }).diff;

describe('a template', () => {
  const first = holding(topic('email', 'news'), field('dark'));

  it('is published as version 1, then as the next where it differs', () => {
    given()
      .when(template(first))
      .then((events) =>
        expect(events).toEqual([
          {
            type: 'TemplatePublished',
            data: {
              definition: first,
              version: 1,
              change: { from: null, summary: 'First version.' },
              definitionHash: expect.stringMatching(/^sha256:/),
              effectiveFrom: AT,
              publishedAt: AT,
            },
          },
        ]),
      );
    given(...published(template(first)))
      .when(template(holding(topic('email', 'news'))))
      .then((events) => expect(events).toMatchObject([{ data: { change: { from: 1, summary: 'Changed.' } } }]));
    given(...published(template(first)))
      .when(template(holding(topic('email', 'news')), { summary: 'Less.' }))
      .then((events) =>
        expect(events).toMatchObject([{ data: { version: 2, change: { from: 1, summary: 'Less.' } } }]),
      );
  });

  it('is left alone where nothing differs, in whatever order its members are written', () => {
    given(...published(template(first)))
      .when(template(first))
      .then((events) => expect(events).toEqual([]));
    const turned = JSON.parse(JSON.stringify(first), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as TemplateDefinition;
    given(...published(template(first)))
      .when(template(turned))
      .then((events) => expect(events).toEqual([]));
  });

  it('is left alone where only purposes are applied', () =>
    given(...published(template(first)))
      .when({ purposes: [purpose('a')] })
      .then((events) => expect(events.map(({ type }) => type)).toEqual(['PurposePublished'])));

  it('can come into force later', () => {
    const state = fold(
      catalogueFold,
      published(template(holding(field('dark')), { effectiveFrom: LATER }), ...published(template(first))),
    );
    expect([templateInForce(state, AT)?.version, templateInForce(state, LATER)?.version]).toEqual([1, 2]);
  });

  it('tells by name what differs', () => {
    const before = published(template(first));
    const line = { object: 'preference_template', key: 'preference_template' };
    expect(diffOf(template(first))).toEqual([{ ...line, action: 'PUBLISH', version: 1, changed: [] }]);
    expect(diffOf(template(first), ...before)).toEqual([{ ...line, action: 'NONE', version: 1, changed: [] }]);
    expect(
      diffOf(
        template({
          ...holding(topic('email', 'news', { doubleOptIn: 'REQUIRED' }), field('light')),
          channels: CHANNELS.slice(0, 1),
        }),
        ...before,
      ),
    ).toEqual([
      {
        ...line,
        action: 'PUBLISH',
        version: 2,
        changed: ['channels.push', 'fields.email_news', 'fields.dark', 'fields.light'],
      },
    ]);
    expect(diffOf(template(holding(...[...first.sections[0]!.fields].reverse())), ...before)).toEqual([
      { ...line, action: 'PUBLISH', version: 2, changed: ['order'] },
    ]);
    const [section] = first.sections;
    expect(
      diffOf(
        template({ ...first, defaultLocale: 'de', sections: [{ ...section!, title: both('Everything') }] }),
        ...before,
      ),
    ).toEqual([{ ...line, action: 'PUBLISH', version: 2, changed: ['defaultLocale', 'sections.all'] }]);
  });

  it('may serve a purpose of the catalogue, a retired one too, or one that is published with it', () => {
    const serving = template(holding(field('taste', { purposeKey: 'ads' })));
    given(...published({ purposes: [purpose('ads')] }))
      .when(serving)
      .then((events) => expect(events).toHaveLength(1));
    given()
      .when({ ...serving, purposes: [purpose('ads')] })
      .then((events) => expect(events).toHaveLength(2));
    given(
      ...published(
        { purposes: [{ ...purpose('ads'), status: 'RETIRED' }] },
        ...published({ purposes: [purpose('ads')] }),
      ),
    )
      .when(serving)
      .then((events) => expect(events).toHaveLength(1));
    expect(issuesOf({ ...serving, purposes: [{ ...purpose('ads'), status: 'RETIRED' }] })).toEqual([
      { path: 'template.sections[0].fields[0].purposeKey', message: expect.stringMatching(/names no purpose/) },
    ]);
  });
});

describe('a template that says nothing against itself', () => {
  const choice = (more: Partial<TemplateField>): TemplateField =>
    field('taste', { kind: 'MULTI_SELECT', options: options('a', 'b'), ...more });
  it.each<[string, TemplateDefinition]>([
    ['as many fields as there may be', holding(...Array.from({ length: 200 }, (_, index) => field(`f${index}`)))],
    ['several fields that are no topics', holding(field('dark'), field('light'))],
    ['one topic on two channels', holding(topic('email', 'news'), topic('push', 'news'))],
    ['a topic whose field is named after it', holding(topic('email', 'news', { key: 'news' }))],
    ['a topic that is shown as unticked', holding(topic('email', 'news', { default: false }))],
    ['a topic ticked beforehand that serves no purpose', holding(topic('email', 'news', { default: true }))],
    [
      'a topic that is unticked until it is confirmed',
      holding(topic('email', 'news', { default: false, doubleOptIn: 'REQUIRED' })),
    ],
    [
      'a confirmation only until verified where an address verifies',
      holding(topic('email', 'news', { doubleOptIn: 'IF_UNVERIFIED' })),
    ],
    ['limits of numbers on both sides', holding(field('a', { kind: 'NUMBER', validation: { min: -5, max: 1000 } }))],
    ['a lower limit alone', holding(field('a', { kind: 'NUMBER', validation: { min: 0.5 } }))],
    ['an upper limit alone', holding(field('a', { kind: 'NUMBER', validation: { max: 0.5 } }))],
    ['one number that is allowed', holding(field('a', { kind: 'NUMBER', validation: { min: 7, max: 7 } }))],
    ['a choice of none to all', holding(choice({ validation: { min: 0, max: 2 } }))],
    ['a default among the options', holding(choice({ default: ['b'] }))],
  ])('can have %s', (_, definition) => expect(issuesOf(template(definition))).toEqual([]));
});

describe('a template that contradicts itself', () => {
  const at = (rest: string, index = 0): string => `template.sections[0].fields[${index}]${rest}`;
  const select = (more: Partial<TemplateField> = {}): TemplateField =>
    field('taste', { kind: 'SELECT', options: options('a', 'b'), ...more });
  it.each<[string, TemplateDefinition, string, string]>([
    ['a field twice', holding(field('dark'), field('dark')), at('.key', 1), 'stands twice'],
    [
      'a field twice in two sections',
      {
        ...holding(field('dark')),
        sections: [...holding(field('dark')).sections, { key: 'more', title: both('More'), fields: [field('dark')] }],
      },
      'template.sections[1].fields[0].key',
      'stands twice',
    ],
    [
      'a section twice',
      { ...holding(field('a')), sections: [...holding(field('a')).sections, ...holding(field('b')).sections] },
      'template.sections[1].key',
      'stands twice',
    ],
    [
      'a channel twice',
      { ...holding(field('a')), channels: [...CHANNELS, CHANNELS[0]!] },
      'template.channels[2].key',
      'stands twice',
    ],
    [
      'a topic twice',
      holding(topic('email', 'news'), topic('email', 'news', { key: 'other' })),
      at('.topic', 1),
      'stands twice',
    ],
    ['an option twice', holding(select({ options: options('a', 'a') })), at('.options[1].value'), 'stands twice'],
    [
      'a key that is the topic of another field',
      holding(topic('email', 'news'), topic('push', 'tips', { key: 'news' })),
      at('.key', 1),
      'is also a topic of another field: the name would mean two things',
    ],
    [
      'a typed field named as a topic',
      holding(topic('email', 'news'), field('news')),
      at('.key', 1),
      'is also a topic of another field: the name would mean two things',
    ],
    [
      'a key that every object has',
      holding(field('constructor')),
      at('.key'),
      'is a name that cannot be used as a key',
    ],
    [
      'a topic that every object has',
      holding(topic('email', 'constructor')),
      at('.topic'),
      'is a name that cannot be used as a key',
    ],
    [
      'a channel without a topic',
      holding(field('a', { channel: 'email' })),
      at(''),
      'must name channel and topic, or neither',
    ],
    [
      'a topic without a channel',
      holding(field('a', { topic: 'news' })),
      at(''),
      'must name channel and topic, or neither',
    ],
    [
      'a channel that is not declared',
      holding(topic('sms', 'news')),
      at('.channel'),
      'is not among the channels of the template',
    ],
    [
      'a purpose that there is not',
      holding(field('a', { purposeKey: 'nothing' })),
      at('.purposeKey'),
      'names no purpose of the catalogue or of this folder',
    ],
    [
      'a purpose that every object has',
      holding(field('a', { purposeKey: 'constructor' })),
      at('.purposeKey'),
      'names no purpose of the catalogue or of this folder',
    ],
    [
      'a topic that is no toggle',
      holding(topic('email', 'news', { kind: 'SELECT', options: options('DAILY') })),
      at('.kind'),
      'must be TOGGLE where the field is a topic',
    ],
    [
      'a topic that is required',
      holding(topic('email', 'news', { required: true })),
      at('.required'),
      'cannot be true: a topic can always be refused',
    ],
    [
      'a topic ticked before it is confirmed',
      holding(topic('email', 'news', { default: true, doubleOptIn: 'REQUIRED' })),
      at('.default'),
      'cannot be true where a double opt-in is asked for',
    ],
    [
      'a topic with options that are no frequencies',
      holding(topic('email', 'news', { options: options('WEEKLY', 'often') })),
      at('.options[1].value'),
      'must be one of IMMEDIATE, DAILY, WEEKLY, MONTHLY, QUARTERLY',
    ],
    [
      'a confirmation of what is no topic',
      holding(field('a', { doubleOptIn: 'REQUIRED' })),
      at('.doubleOptIn'),
      'must be NONE where the field is not a topic',
    ],
    [
      'a confirmation only until verified where nothing verifies',
      holding(topic('push', 'news', { doubleOptIn: 'IF_UNVERIFIED' })),
      at('.doubleOptIn'),
      'cannot be IF_UNVERIFIED on a channel that nothing verifies',
    ],
    [
      'a choice of nothing',
      holding(select({ options: [] })),
      at('.options'),
      'must not be empty where the kind is SELECT',
    ],
    [
      'options of a number',
      holding(field('a', { kind: 'NUMBER', options: options('a') })),
      at('.options'),
      'must be left out where the kind is NUMBER',
    ],
    [
      'options of a typed toggle',
      holding(field('a', { options: options('a') })),
      at('.options'),
      'must be left out where the kind is TOGGLE',
    ],
    [
      'a frequency that there is not',
      holding(field('a', { kind: 'FREQUENCY', options: options('HOURLY') })),
      at('.options[0].value'),
      'must be one of IMMEDIATE, DAILY, WEEKLY, MONTHLY, QUARTERLY',
    ],
    [
      'limits the wrong way round',
      holding(field('a', { kind: 'NUMBER', validation: { min: 2, max: 1 } })),
      at('.validation.max'),
      'must not be below min',
    ],
    [
      'limits of another kind',
      holding(field('a', { kind: 'NUMBER', validation: { maxLength: 2 } })),
      at('.validation.maxLength'),
      'cannot be said where the kind is NUMBER',
    ],
    [
      'limits of what has none',
      holding(field('a', { kind: 'DATE', validation: { min: 2 } })),
      at('.validation.min'),
      'cannot be said where the kind is DATE',
    ],
    [
      'more choices than options',
      holding(select({ kind: 'MULTI_SELECT', validation: { max: 3 } })),
      at('.validation.max'),
      'must be a number of options that can be chosen',
    ],
    [
      'fewer choices than none',
      holding(select({ kind: 'MULTI_SELECT', validation: { min: -1 } })),
      at('.validation.min'),
      'must be a number of options that can be chosen',
    ],
    [
      'half a choice',
      holding(select({ kind: 'MULTI_SELECT', validation: { min: 0.5 } })),
      at('.validation.min'),
      'must be a number of options that can be chosen',
    ],
    ['a default out of the options', holding(select({ default: 'c' })), at('.default'), 'does not fit the field'],
    [
      'a default of another type',
      holding(topic('email', 'news', { default: 'yes' })),
      at('.default'),
      'does not fit the field',
    ],
    [
      'a text without the default language',
      { ...holding(field('a')), defaultLocale: 'fr' },
      'template.channels[0].label',
      'lacks the default locale',
    ],
    [
      'a section without the default language',
      { ...holding(field('a')), sections: [{ ...holding(field('a')).sections[0]!, title: { de: 'Alles' } }] },
      'template.sections[0].title',
      'lacks the default locale',
    ],
    [
      'a label that lacks a language',
      holding(field('a', { label: { en: 'a' } })),
      at('.label'),
      'lacks the language de, which other texts of the template have',
    ],
    [
      'a help in a language of its own',
      holding(field('a', { help: { ...both('a'), fr: 'a' } })),
      'template.channels[0].label',
      'lacks the language fr, which other texts of the template have',
    ],
    [
      'an option that lacks a language',
      holding(select({ options: [...options('a'), { value: 'b', label: { de: 'b' } }] })),
      at('.options[1].label'),
      'lacks the default locale',
    ],
    [
      'more than 200 fields',
      holding(...Array.from({ length: 201 }, (_, index) => field(`f${index}`))),
      'template.sections',
      'must hold at most 200 fields altogether',
    ],
  ])('by %s is refused, place named, and nothing is published', (_, definition, path, message) => {
    given()
      .when({ ...template(definition), purposes: [purpose('innocent')] })
      .refuses('validation_failed');
    expect(issuesOf(template(definition))[0]).toEqual({ path, message });
  });

  it('in a topic ticked beforehand for a purpose that needs consent is refused', () => {
    const ticked = (consentModel: PurposeDefinition['consentModel']): CatalogueFiles => ({
      ...template(holding(topic('email', 'news', { default: true, purposeKey: 'ads' }))),
      purposes: [
        purpose('ads', { consentModel, legalBasis: consentModel === 'OPT_IN' ? 'CONSENT' : 'LEGITIMATE_INTERESTS' }),
      ],
    });
    expect(issuesOf(ticked('OPT_IN'))).toEqual([
      { path: at('.default'), message: 'cannot be true for a purpose whose model is OPT_IN' },
    ]);
    expect(issuesOf(ticked('OPT_OUT'))).toEqual([]);
  });

  it('everywhere names 20 places', () =>
    expect(issuesOf(template(holding(...Array.from({ length: 100 }, () => field('same')))))).toHaveLength(20));

  it('in nothing, but with more text than one append holds, is refused', () => {
    const long = { en: 'x'.repeat(1000) };
    given()
      .when(
        template({
          defaultLocale: 'en',
          channels: [],
          sections: [
            {
              key: 'all',
              title: long,
              fields: Array.from({ length: 10 }, (_, f) =>
                field(`f${f}`, {
                  label: long,
                  kind: 'SELECT',
                  options: Array.from({ length: 100 }, (_one, o) => ({ value: `v${o}`, label: long })),
                }),
              ),
            },
          ],
        }),
      )
      .refuses('validation_failed');
  });
});

describe('whatever template is published', () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/);
  const channel = fc.constantFrom('email', 'push');
  const anyField = fc.oneof(
    fc
      .record({
        name: key,
        channel,
        doubleOptIn: fc.constantFrom('NONE' as const, 'REQUIRED' as const),
        options: fc.subarray(['DAILY', 'WEEKLY', 'MONTHLY']),
      })
      .map(({ name, ...more }) => topic(more.channel, name, { ...more, options: options(...more.options) })),
    fc
      .record({
        name: key,
        kind: fc.constantFrom(...FIELD_KINDS),
        required: fc.boolean(),
        options: fc.subarray(['DAILY', 'WEEKLY', 'x', 'y']),
      })
      .map(({ name, ...more }) => field(name, { ...more, options: options(...more.options) })),
  );
  const anyTemplate = fc
    .array(anyField, { minLength: 1, maxLength: 8 })
    .map((fields) => holding(...fields))
    .filter((definition) => issuesOf(template(definition)).length === 0);

  it('applying it again publishes nothing, and applying what was before it makes a third version', () =>
    fc.assert(
      fc.property(anyTemplate, anyTemplate, (one, other) => {
        const once = published(template(one));
        expect(published(template(one), ...once)).toEqual(once);
        const differs = JSON.stringify(one) !== JSON.stringify(other);
        const twice = published(template(other), ...once);
        expect(twice).toHaveLength(differs ? 2 : 1);
        expect(published(template(one), ...twice)).toHaveLength(differs ? 3 : 1);
      }),
    ));

  it('every field is found by its key, every topic by its path and by its name beside its channel', () =>
    fc.assert(
      fc.property(anyTemplate, (definition) => {
        const inForce = templateInForce(fold(catalogueFold, published(template(definition))), AT)!;
        for (const one of fieldsOf(definition)) {
          const found = [
            resolveField(inForce, one.key, undefined),
            ...(one.topic === null
              ? []
              : [
                  resolveField(inForce, topicPath(one.channel!, one.topic), undefined),
                  resolveField(inForce, one.topic, one.channel!),
                ]),
          ];
          for (const each of found) expect(isRefusal(each) ? each.issues : each.definition.key).toBe(one.key);
          if (one.topic === null) expect(checkValue(found[0] as ResolvedField, null) === null).toBe(!one.required);
        }
      }),
    ));

  it('it is shown whole in each of its languages, under a hash of its own', () =>
    fc.assert(
      fc.property(anyTemplate, (definition) => {
        const inForce = templateInForce(fold(catalogueFold, published(template(definition))), AT)!;
        const [en, de] = [templateView(inForce, ['en']), templateView(inForce, ['de-AT', 'en'])];
        expect([en.locale, de.locale, en.contentHash === de.contentHash]).toEqual(['en', 'de', false]);
        expect(JSON.stringify([en, de])).not.toContain('{"en":');
        expect(templateView(inForce, ['fr'])).toBe(en);
      }),
    ));
});

describe('purposes', () => {
  it('are published with what is in force from when, and why', () => {
    const data = {
      version: 1,
      change: { from: null, kind: 'MATERIAL', summary: 'First version.' },
      definitionHash: expect.stringMatching(/^sha256:/),
      effectiveFrom: AT,
      publishedAt: AT,
    };
    given()
      .when({ purposes: [purpose('ads')] })
      .then((events) =>
        expect(events).toEqual([
          { type: 'PurposePublished', data: { ...data, definition: purpose('ads').definition } },
        ]),
      );
    const changed = purpose('ads', { gpc: true });
    const before = published({ purposes: [purpose('ads')] });
    given(...before)
      .when({ purposes: [changed] })
      .then((events) =>
        expect(events).toMatchObject([
          { data: { version: 2, change: { from: 1, kind: 'MATERIAL', summary: 'Changed.' } } },
        ]),
      );
    given(...before)
      .when({ purposes: [{ ...changed, change: { kind: 'EDITORIAL', summary: 'A word.' }, effectiveFrom: LATER }] })
      .then((events) =>
        expect(events).toMatchObject([
          { data: { effectiveFrom: LATER, publishedAt: AT, change: { kind: 'EDITORIAL', summary: 'A word.' } } },
        ]),
      );
  });

  it('are retired once, and come back as a new version of the same text', () => {
    const retiring: CatalogueFiles = { purposes: [{ ...purpose('ads'), status: 'RETIRED' }] };
    const before = published({ purposes: [purpose('ads')] });
    const retired: CatalogueEvent = { type: 'PurposeRetired', data: { key: 'ads', version: 1, retiredAt: AT } };
    const line = { object: 'purpose', key: 'ads', changed: [] };
    given(...before)
      .when(retiring)
      .then((events) => expect(events).toEqual([retired]));
    given(...before, retired)
      .when(retiring)
      .then((events) => expect(events).toEqual([]));
    expect(diffOf(retiring, ...before, retired)).toEqual([{ ...line, action: 'NONE', version: 1 }]);
    given(...before, retired)
      .when({ purposes: [purpose('ads')] })
      .then((events) => expect(events).toMatchObject([{ type: 'PurposePublished', data: { version: 2 } }]));
  });

  it('that never were published and are said to be retired change nothing', () => {
    const retiring: CatalogueFiles = { purposes: [{ ...purpose('ads'), status: 'RETIRED' }] };
    given()
      .when(retiring)
      .then((events) => expect(events).toEqual([]));
    expect(diffOf(retiring)).toEqual([{ object: 'purpose', key: 'ads', action: 'NONE', version: 0, changed: [] }]);
  });

  const VALID = purpose('ads');
  it.each<[string, PurposeFile[], Issue]>([
    ['two files of one key', [VALID, purpose('news'), VALID], { path: 'purposes[2].key', message: 'stands twice' }],
    [
      'a key that every object has',
      [VALID, purpose('constructor')],
      { path: 'purposes[1].key', message: 'is a name that cannot be used as a key' },
    ],
    [
      'no text in the default language',
      [purpose('ads', { defaultLocale: 'fr' })],
      { path: 'purposes[0].translations', message: 'lacks the default locale' },
    ],
    [
      'an opt-in on another basis than consent',
      [purpose('ads', { legalBasis: 'LEGITIMATE_INTERESTS' })],
      { path: 'purposes[0].legalBasis', message: 'must be CONSENT where the model is OPT_IN' },
    ],
    [
      'a consent that cannot be refused',
      [purpose('ads', { consentModel: 'ALWAYS_ON' })],
      {
        path: 'purposes[0].legalBasis',
        message: 'cannot be CONSENT where the model is ALWAYS_ON: consent can be refused',
      },
    ],
  ])('with %s are refused, place named, and nothing is published', (_, purposes, issue) =>
    expect(applyCatalogue({ purposes }, catalogueFold.initial(), AT)).toMatchObject({
      refused: true,
      code: 'validation_failed',
      message: expect.stringContaining('contradicts itself'),
      hint: expect.stringContaining('nothing was published'),
      issues: [issue],
    }),
  );

  it.each<[PurposeDefinition['consentModel'], PurposeDefinition['legalBasis']]>([
    ['OPT_IN', 'CONSENT'],
    ['OPT_OUT', 'CONSENT'],
    ['OPT_OUT', 'LEGITIMATE_INTERESTS'],
    ['ALWAYS_ON', 'LEGITIMATE_INTERESTS'],
  ])('of the model %s can rest on %s', (consentModel, legalBasis) =>
    expect(issuesOf({ purposes: [purpose('ads', { consentModel, legalBasis })] })).toEqual([]),
  );

  it('that contradict each other in a hundred places name 20', () =>
    expect(issuesOf({ purposes: Array.from({ length: 100 }, () => purpose('same')) })).toHaveLength(20));

  it('with more text than one append holds are refused, with the size that one holds', () => {
    const long = { en: { name: 'x', description: 'x'.repeat(200_000), legalText: '' } };
    const files = { purposes: ['a', 'b', 'c', 'd'].map((key) => purpose(key, { translations: long })) };
    expect(applyCatalogue(files, catalogueFold.initial(), AT)).toMatchObject({
      refused: true,
      message: expect.stringContaining('too large'),
      hint: expect.stringContaining('at most 800000 bytes'),
    });
    // A part of it is one step.
    given()
      .when({ purposes: files.purposes.slice(0, 3) })
      .then((events) => expect(events).toHaveLength(3));
  });

  it('tell by name what differs, and nothing else', () => {
    const before = published({ purposes: [purpose('ads')] });
    const line = { object: 'purpose', key: 'ads' };
    const changed = (more: Partial<PurposeDefinition>): unknown =>
      diffOf({ purposes: [purpose('ads', more)] }, ...before);
    expect(diffOf({ purposes: [purpose('ads')] })).toEqual([{ ...line, action: 'PUBLISH', version: 1, changed: [] }]);
    expect(changed({})).toEqual([{ ...line, action: 'NONE', version: 1, changed: [] }]);
    expect(changed({ gpc: true })).toEqual([{ ...line, action: 'PUBLISH', version: 2, changed: ['gpc'] }]);
    expect(changed({ validityDays: 30, retention: 'a year' })).toEqual([
      { ...line, action: 'PUBLISH', version: 2, changed: ['retention', 'validityDays'] },
    ]);
    const retiring = { ...purpose('ads', { gpc: true }), status: 'RETIRED' } as const;
    expect(diffOf({ purposes: [retiring] }, ...before)).toEqual([
      { ...line, action: 'RETIRE', version: 1, changed: ['status'] },
    ]);
    expect(diffOf({ purposes: [purpose('ads'), purpose('news')] }, ...before).map(({ action }) => action)).toEqual([
      'NONE',
      'PUBLISH',
    ]);
  });

  it('announced for later change nothing before that', () => {
    const announced = { ...purpose('ads', { gpc: true }), effectiveFrom: LATER };
    const before = published({ purposes: [purpose('ads')] });
    const at = (file: PurposeFile, moment: string): [number, number] => {
      const ads = purposeOf(fold(catalogueFold, published({ purposes: [file] }, ...before)), 'ads')!;
      return [versionInForce(ads, moment)!.version, lastMaterialVersion(ads, moment)];
    };
    expect(at(announced, AT)).toEqual([1, 1]);
    expect(at(announced, LATER)).toEqual([2, 2]);
    expect(at({ ...announced, change: { kind: 'EDITORIAL' } }, LATER)).toEqual([2, 1]);
  });

  it('applied twice are published once', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 5 }), (keys) => {
        const files = { purposes: keys.map((key) => purpose(key)) };
        const once = published(files);
        expect(once).toHaveLength(keys.length);
        expect(published(files, ...once)).toEqual(once);
      }),
    ));
});
