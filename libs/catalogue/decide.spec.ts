import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decisionTest } from '../kernel/given-when-then.js';
import { fold, isRefusal, type Issue } from '../kernel/index.js';
import type { CatalogueDiff } from './decide-template.js';
import { applyCatalogue, type CatalogueFiles, type PurposeFile } from './decide.js';
import type { CatalogueEvent, PurposeDefinition, TemplatePublishedData } from './events.js';
import { catalogueFold, lastMaterialVersion, purposeOf, versionInForce, type CatalogueState } from './state.js';
import { checkValue, resolveField, templateInForce, topicPath, type ResolvedField } from './template.js';
import { FIELD_KINDS, fieldsOf, type TemplateDefinition, type TemplateField } from './template-definition.js';
import { templateView } from './template-view.js';

const AT = '2026-11-21T12:00:00.000Z';
const LATER = '2027-01-01T00:00:00.000Z';
const both = (text: string) => ({ en: text, de: `${text} (de)` });
const purpose = (key: string, more: Partial<PurposeDefinition> = {}): PurposeFile => ({
  status: 'PUBLISHED',
  definition: {
    key,
    legalBasis: 'CONSENT',
    consentModel: 'OPT_IN',
    category: 'OTHER',
    dataCategories: [],
    recipients: [],
    retention: null,
    controller: { name: 'Shop', contact: 'x@shop.example' },
    validityDays: null,
    frameworks: { tcf: { purposes: [], specialFeatures: [] }, google: [], us: [] },
    gpc: false,
    cookies: [],
    defaultLocale: 'en',
    translations: { en: { name: key, description: key, legalText: '' } },
    ...more,
  },
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
  more: Partial<Omit<TemplatePublishedData, 'definition'>> & { summary?: string } = {},
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

describe('a template that contradicts itself', () => {
  const at = (rest: string, index = 0): string => `template.sections[0].fields[${index}]${rest}`;
  const select = (more: Partial<TemplateField> = {}): TemplateField =>
    field('taste', { kind: 'SELECT', options: options('a', 'b'), ...more });
  it.each<[string, TemplateDefinition, string]>([
    ['a field twice', holding(field('dark'), field('dark')), at('.key', 1)],
    [
      'a field twice in two sections',
      {
        ...holding(field('dark')),
        sections: [...holding(field('dark')).sections, { key: 'more', title: both('More'), fields: [field('dark')] }],
      },
      'template.sections[1].fields[0].key',
    ],
    [
      'a section twice',
      { ...holding(field('a')), sections: [...holding(field('a')).sections, ...holding(field('b')).sections] },
      'template.sections[1].key',
    ],
    ['a channel twice', { ...holding(field('a')), channels: [...CHANNELS, CHANNELS[0]!] }, 'template.channels[2].key'],
    ['a topic twice', holding(topic('email', 'news'), topic('email', 'news', { key: 'other' })), at('.topic', 1)],
    ['an option twice', holding(select({ options: options('a', 'a') })), at('.options[1].value')],
    [
      'a key that is the topic of another field',
      holding(topic('email', 'news'), topic('push', 'tips', { key: 'news' })),
      at('.key', 1),
    ],
    ['a typed field named as a topic', holding(topic('email', 'news'), field('news')), at('.key', 1)],
    ['a key that every object has', holding(field('constructor')), at('.key')],
    ['a topic that every object has', holding(topic('email', 'constructor')), at('.topic')],
    ['a channel without a topic', holding(field('a', { channel: 'email' })), at('')],
    ['a topic without a channel', holding(field('a', { topic: 'news' })), at('')],
    ['a channel that is not declared', holding(topic('sms', 'news')), at('.channel')],
    ['a purpose that there is not', holding(field('a', { purposeKey: 'nothing' })), at('.purposeKey')],
    ['a purpose that every object has', holding(field('a', { purposeKey: 'constructor' })), at('.purposeKey')],
    [
      'a topic that is no toggle',
      holding(topic('email', 'news', { kind: 'SELECT', options: options('DAILY') })),
      at('.kind'),
    ],
    ['a topic that is required', holding(topic('email', 'news', { required: true })), at('.required')],
    [
      'a topic ticked before it is confirmed',
      holding(topic('email', 'news', { default: true, doubleOptIn: 'REQUIRED' })),
      at('.default'),
    ],
    [
      'a topic with options that are no frequencies',
      holding(topic('email', 'news', { options: options('WEEKLY', 'often') })),
      at('.options[1].value'),
    ],
    ['a confirmation of what is no topic', holding(field('a', { doubleOptIn: 'REQUIRED' })), at('.doubleOptIn')],
    [
      'a confirmation only until verified where nothing verifies',
      holding(topic('push', 'news', { doubleOptIn: 'IF_UNVERIFIED' })),
      at('.doubleOptIn'),
    ],
    ['a choice of nothing', holding(select({ options: [] })), at('.options')],
    ['options of a number', holding(field('a', { kind: 'NUMBER', options: options('a') })), at('.options')],
    ['options of a typed toggle', holding(field('a', { options: options('a') })), at('.options')],
    [
      'a frequency that there is not',
      holding(field('a', { kind: 'FREQUENCY', options: options('HOURLY') })),
      at('.options[0].value'),
    ],
    [
      'limits the wrong way round',
      holding(field('a', { kind: 'NUMBER', validation: { min: 2, max: 1 } })),
      at('.validation.max'),
    ],
    [
      'limits of another kind',
      holding(field('a', { kind: 'NUMBER', validation: { maxLength: 2 } })),
      at('.validation.maxLength'),
    ],
    ['limits of what has none', holding(field('a', { kind: 'DATE', validation: { min: 2 } })), at('.validation.min')],
    [
      'more choices than options',
      holding(select({ kind: 'MULTI_SELECT', validation: { max: 3 } })),
      at('.validation.max'),
    ],
    ['half a choice', holding(select({ kind: 'MULTI_SELECT', validation: { min: 0.5 } })), at('.validation.min')],
    ['a default out of the options', holding(select({ default: 'c' })), at('.default')],
    ['a default of another type', holding(topic('email', 'news', { default: 'yes' })), at('.default')],
    [
      'a text without the default language',
      { ...holding(field('a')), defaultLocale: 'fr' },
      'template.channels[0].label',
    ],
    ['a label that lacks a language', holding(field('a', { label: { en: 'a' } })), at('.label')],
    [
      'a help in a language of its own',
      holding(field('a', { help: { ...both('a'), fr: 'a' } })),
      'template.channels[0].label',
    ],
    [
      'an option that lacks a language',
      holding(select({ options: [...options('a'), { value: 'b', label: { de: 'b' } }] })),
      at('.options[1].label'),
    ],
    [
      'more than 200 fields',
      holding(...Array.from({ length: 201 }, (_, index) => field(`f${index}`))),
      'template.sections',
    ],
  ])('by %s is refused, place named, and nothing is published', (_, definition, path) => {
    given()
      .when({ ...template(definition), purposes: [purpose('innocent')] })
      .refuses('validation_failed');
    expect(issuesOf(template(definition))[0]!.path).toBe(path);
  });

  it('in a topic ticked beforehand for a purpose that needs consent is refused', () => {
    const ticked = (consentModel: PurposeDefinition['consentModel']): CatalogueFiles => ({
      ...template(holding(topic('email', 'news', { default: true, purposeKey: 'ads' }))),
      purposes: [
        purpose('ads', { consentModel, legalBasis: consentModel === 'OPT_IN' ? 'CONSENT' : 'LEGITIMATE_INTERESTS' }),
      ],
    });
    expect(issuesOf(ticked('OPT_IN')).map(({ path }) => path)).toEqual([at('.default')]);
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
