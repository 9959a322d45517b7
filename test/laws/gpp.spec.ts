import { describe, expect, it } from '@jest/globals';
import { GppModel } from '@iabgpp/cmpapi';
import fc from 'fast-check';
import { NO_FRAMEWORKS, type FrameworkSettings } from '../../libs/access/index.js';
import {
  catalogueFold,
  CONSENT_MODELS,
  disclosedPurposes,
  US_CATEGORIES,
  type CatalogueEvent,
  type CatalogueState,
  type PurposeDefinition,
} from '../../libs/catalogue/index.js';
import { DECISIONS, METHODS, type ConsentRecordedData } from '../../libs/consent/events.js';
import { consentFold, type FoldedByConsent } from '../../libs/consent/state.js';
import { consentStanding } from '../../libs/consent/state-view.js';
import type { ConsentStanding } from '../../libs/consent/index.js';
import { gppAnswer, type GppAnswer } from '../../libs/consent-strings/gpp/gpp-answer.js';
import { standingOf } from '../../libs/consent-strings/standing/standing.js';
import { fold, PURPOSE_CATEGORIES, type Instant } from '../../libs/kernel/index.js';
import { BitReader, readGppHeader } from '../support/bit-reader.js';
import { TC_STRING } from '../support/framework-strings.js';
import { purposeDefinition } from '../support/purposes.js';

/*
 * String and state cannot disagree. Random catalogues, histories, places, settings and signals are made into GPP strings;
 * each is read with a reader and layouts of the tests' own, and every value is held against what
 * GET /v1/subjects/{ref}/consent answers.
 */

/** Fields of two bits, as the specifications list them; a number is how many there are. The first has six bits. */
const MSPA = 'MspaCoveredTransaction MspaOptOutOptionMode MspaServiceProviderMode';
const NOTICES = 'SaleOptOutNotice TargetedAdvertisingOptOutNotice';
const OPT_OUTS = 'SaleOptOut TargetedAdvertisingOptOut';
const [SENSITIVE, CHILD, MORE] = [
  'SensitiveDataProcessing',
  'KnownChildSensitiveDataConsents',
  'AdditionalDataProcessingConsent',
];
const early = (sensitive: number, child: string) =>
  `Version SharingNotice ${NOTICES} ${OPT_OUTS} ${SENSITIVE}*${sensitive} ${CHILD}${child} ${MSPA}`;
const late = (sensitive: number, child = '', notice = 'ProcessingNotice') =>
  `Version ${notice} ${NOTICES} ${OPT_OUTS} ${SENSITIVE}*${sensitive} ${CHILD}${child} ${MORE} ${MSPA}`;
const draft = (child: string) =>
  `MspaVersion MspaCoveredTransaction MspaMode ProcessingNotice ${NOTICES} ${OPT_OUTS} ${child}${MORE}`;
const LAYOUTS: Record<number, [name: string, fields: string, behind?: string]> = {
  7: [
    'usnat',
    `Version SharingNotice SaleOptOutNotice SharingOptOutNotice TargetedAdvertisingOptOutNotice SensitiveDataProcessingOptOutNotice SensitiveDataLimitUseNotice SaleOptOut SharingOptOut TargetedAdvertisingOptOut ${SENSITIVE}*16 ${CHILD}*3 PersonalDataConsents ${MSPA}`,
    'GPC',
  ],
  8: [
    'usca',
    `Version SaleOptOutNotice SharingOptOutNotice SensitiveDataLimitUseNotice SaleOptOut SharingOptOut ${SENSITIVE}*9 ${CHILD}*2 PersonalDataConsents ${MSPA}`,
    'GPC',
  ],
  9: ['usva', early(8, '')],
  10: ['usco', early(7, ''), 'GPC'],
  11: ['usut', early(8, '').replace('TargetedAdvertisingOptOutNotice', '$& SensitiveDataProcessingOptOutNotice')],
  12: ['usct', early(8, '*3'), 'GPC'],
  13: ['usfl', late(8, '*3')],
  14: ['usmt', late(8, '*3', 'SharingNotice'), 'GPC'],
  15: ['usor', late(11, '*3'), 'GPC'],
  16: ['ustx', late(8), 'GPC'],
  17: ['usde', late(9, '*5'), 'GPC'],
  18: [
    'usia',
    late(8).replace('TargetedAdvertisingOptOutNotice', '$& SensitiveDataOptOutNotice').replace(`${MORE} `, ''),
    'GPC',
  ],
  19: ['usne', late(8), 'GPC'],
  20: ['usnh', late(8, '*3'), 'GPC'],
  21: ['usnj', late(10, '*5'), 'GPC'],
  22: ['ustn', late(8), 'GPC'],
  23: ['usmn', late(8), 'GPC'],
  24: ['usmd', draft(''), 'GPC'],
  25: ['usin', draft(`${CHILD} `), SENSITIVE],
  26: ['usky', draft(`${CHILD} `), SENSITIVE],
  27: ['usri', draft(`${CHILD} `), SENSITIVE],
};
/** Where sensitive data are used until somebody opts out. */
const SENSITIVE_OPT_OUT = ['usca', 'usut', 'usia'];

type Values = Record<string, number | number[] | boolean>;

function readSection(id: number, text: string): Values {
  const [, fields, behind] = LAYOUTS[id]!;
  const [core, rest, ...others] = text.split('.');
  expect(others).toEqual([]);
  const values: Values = {};
  const bits = new BitReader(core!);
  for (const [i, field] of fields.split(' ').entries()) {
    const [name, count] = field.split('*');
    const one = () => bits.int(i === 0 ? 6 : 2);
    values[name!] = count === undefined ? one() : Array.from({ length: Number(count) }, one);
  }
  expect(bits.isAtEnd).toBe(true);
  expect(rest !== undefined).toBe(behind !== undefined);
  if (rest === undefined) return values;
  const second = new BitReader(rest);
  if (behind === 'GPC') {
    expect(second.int(2)).toBe(1);
    values['Gpc'] = second.flag();
  } else values[SENSITIVE] = Array.from({ length: 8 }, () => second.int(2));
  expect(second.isAtEnd).toBe(true);
  return values;
}

const KEYS = ['a', 'b', 'c'];
const START = Date.UTC(2026, 5, 1);
const day = (days: number): Instant => new Date(START + days * 86_400_000).toISOString();

const purpose = fc
  .record({
    key: fc.constantFrom(...KEYS),
    consentModel: fc.constantFrom(...CONSENT_MODELS),
    category: fc.constantFrom(...PURPOSE_CATEGORIES),
    gpc: fc.boolean(),
    us: fc
      .tuple(fc.subarray(['SALE']), fc.subarray([...US_CATEGORIES.slice(1), 'UNHEARD_OF'], { maxLength: 4 }))
      .map((some) => some.flat()),
  })
  .map(({ us, ...more }): PurposeDefinition => {
    const frameworks = { tcf: { purposes: [], specialFeatures: [] }, google: [], us };
    return purposeDefinition(more.key, { ...more, frameworks });
  });

/** Each purpose once, materially changed meanwhile or not, and a banner that tells of some of them or of all. */
const catalogue = fc
  .record({
    purposes: fc.uniqueArray(purpose, { selector: ({ key }) => key, maxLength: 3 }),
    changed: fc.subarray(KEYS),
    banner: fc.option(fc.option(fc.subarray(KEYS))),
    retired: fc.subarray(KEYS, { maxLength: 1 }),
  })
  .map(({ purposes, changed, banner, retired }): CatalogueState => {
    const version = (definition: PurposeDefinition, number: number, on: Instant) => ({
      type: 'PurposePublished',
      data: {
        ...{ version: number, definition, publishedAt: on, effectiveFrom: on },
        change: { from: number === 1 ? null : number - 1, kind: 'MATERIAL', summary: '' },
      },
    });
    const events = [
      ...purposes.map((each) => version(each, 1, day(-10))),
      ...purposes.filter(({ key }) => changed.includes(key)).map((each) => version(each, 2, day(5))),
      ...purposes
        .filter(({ key }) => retired.includes(key))
        .map(({ key }) => ({ type: 'PurposeRetired', data: { key, retiredAt: day(8) } })),
      ...(banner === null
        ? []
        : [
            {
              type: 'BannerPublished',
              data: {
                ...{ version: 1, publishedAt: day(-5), effectiveFrom: day(-5) },
                definition: { purposeKeys: banner, tcf: { publisherCountry: null }, google: { waitForUpdateMs: 500 } },
                change: { from: null, summary: '' },
              },
            },
          ]),
    ];
    return fold(catalogueFold, events as unknown as CatalogueEvent[]);
  });

const record = fc
  .record({
    purpose: fc.constantFrom(...KEYS),
    decision: fc.constantFrom(...DECISIONS),
    purposeVersion: fc.constantFrom(1, 2),
    given: fc.integer({ min: -8, max: 20 }),
    lasts: fc.option(fc.integer({ min: 1, max: 20 })),
    method: fc.option(fc.constantFrom(...METHODS)),
    gpc: fc.option(fc.boolean()),
  })
  .map(({ given, lasts, method, gpc, ...rest }, i = 0): FoldedByConsent => {
    const data = {
      ...rest,
      source: 'API',
      recordId: `rec_${i}`,
      givenAt: day(given),
      recordedAt: day(given),
      expiresAt: lasts === null ? null : day(given + lasts),
      ...(method && { collection: { method, surface: 'BANNER' } }),
      ...(gpc !== null && { signals: { gpc } }),
    };
    return { type: 'ConsentRecorded', data: data as unknown as ConsentRecordedData };
  });

const STATES = 'CA VA CO UT CT TX OR FL MT DE IA NE NH NJ TN MN MD IN KY RI OK NV NY'.split(' ');
const place = fc
  .constantFrom(...STATES.map((each) => `US-${each}`), 'US', 'DE', 'CA', 'BR')
  .map((code) => ({ country: code.slice(0, 2), region: code.includes('-') ? code : null, by: 'REQUEST' as const }));

const settings: fc.Arbitrary<FrameworkSettings> = fc
  .record({
    approach: fc.constantFrom('STATE' as const, 'NATIONAL' as const),
    unsettledSections: fc.boolean(),
    mode: fc.constantFrom(null, 'OPT_OUT' as const, 'SERVICE_PROVIDER' as const),
  })
  .map(({ mode, ...gpp }) => ({ ...NO_FRAMEWORKS, gpp: { ...gpp, mspa: { covered: mode !== null, mode } } }));

const world = fc.record({
  catalogue,
  records: fc.array(record, { maxLength: 6 }),
  asked: fc.record({ place: fc.option(place), gpcOnRequest: fc.boolean() }),
  settings,
  at: fc.integer({ min: 0, max: 25 }).map(day),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

interface Told {
  consent: ConsentStanding;
  answer: GppAnswer;
  isDisclosed: (key: string) => boolean;
}

function told({ catalogue: published, records, asked, settings: chosen, at }: World): Told {
  const snapshot = { subjectId: 'sub_1', revision: records.length, state: fold(consentFold, records) };
  const consent = consentStanding(snapshot, published, { at, now: at }, asked);
  const isDisclosed = disclosedPurposes(published, at);
  const standing = standingOf(consent, published, { settings: chosen, locale: 'en' });
  return { consent, isDisclosed, answer: gppAnswer(standing, isDisclosed, () => TC_STRING) };
}

/** What the state says of the purposes of some categories that people are asked for. */
function purposesFor({ catalogue: published, at }: World, { consent, isDisclosed }: Told, categories: string[]) {
  return Object.values(published.purposes)
    .filter(({ retiredAt }) => retiredAt === null || retiredAt > at)
    .map(({ key, versions }) => ({ key, us: versions[0]!.definition.frameworks.us, ...consent.purposes[key]! }))
    .filter(({ us }) => categories.some((category) => us.includes(category)))
    .map((each) => ({ ...each, isNoticed: isDisclosed(each.key) || each.state !== 'NOT_COLLECTED' }));
}

const check = (
  holds: (given: World, said: Told, name: string, values: Values) => void,
  parameters: fc.Parameters<[World]> = { numRuns: 200 },
): void => {
  fc.assert(
    fc.property(world, (given) => {
      const said = told(given);
      const [header, ...texts] = said.answer.gppString.split('~');
      readGppHeader(header!).forEach((id, i) => {
        if (LAYOUTS[id]) holds(given, said, LAYOUTS[id][0], readSection(id, texts[i]!));
      });
    }),
    parameters,
  );
};

describe('a GPP string', () => {
  it('holds the sections that apply, in their order, and is what the library of the field reads too', () => {
    fc.assert(
      fc.property(world, (given) => {
        const { answer, consent } = told(given);
        const [header, ...texts] = answer.gppString.split('~');
        const ids = readGppHeader(header!);
        expect(ids).toEqual(answer.sectionIds);
        expect(ids).toEqual(answer.applicableSections.filter((id) => id !== 5));
        const named = consent.dated.rule.gppSections;
        const isUs = named.some((id) => LAYOUTS[id]);
        const { approach, unsettledSections } = given.settings.gpp;
        const place = consent.dated.place?.code ?? '';
        const own = { 'US-MD': 24, 'US-IN': 25, 'US-KY': 26, 'US-RI': 27 }[place];
        const isOwn = unsettledSections && own !== undefined && isUs;
        expect(answer.applicableSections).toEqual(
          !isUs ? [...named] : approach === 'NATIONAL' ? [7] : isOwn ? [own] : [...named],
        );
        const read = Object.fromEntries(
          ids.flatMap((id, i) => (LAYOUTS[id] ? [[LAYOUTS[id][0], readSection(id, texts[i]!)]] : [])),
        );
        expect(answer.parsed).toEqual(read);
        const model = new GppModel(answer.gppString);
        for (const [name, values] of Object.entries(read)) expect(model.getSection(name)).toMatchObject(values);
        // Byte for byte.
        if (ids.includes(2)) expect(texts[ids.indexOf(2)]).toBe(TC_STRING);
      }),
      { numRuns: 200 },
    );
  });

  it('tells an opt-out exactly where a purpose of that kind is blocked and notice of it was given', () => {
    check((given, said, name, values) => {
      const hasBoth = 'SharingOptOut' in values && 'TargetedAdvertisingOptOut' in values;
      const either = ['SHARING', 'TARGETED_ADVERTISING'];
      for (const [field, categories] of [
        ['SaleOptOut', ['SALE']],
        ['SharingOptOut', hasBoth ? ['SHARING'] : either],
        ['TargetedAdvertisingOptOut', hasBoth ? ['TARGETED_ADVERTISING'] : either],
      ] as const) {
        if (!(field in values)) continue;
        const purposes = purposesFor(given, said, [...categories]);
        const notice = purposes.length === 0 ? 0 : purposes.some(({ isNoticed }) => isNoticed) ? 1 : 2;
        const isBlocked = purposes.some(({ effective }) => effective === 'BLOCKED');
        expect({ name, [field]: values[field], notice: values[`${field}Notice`] }).toEqual({
          ...{ name, notice },
          [field]: notice !== 1 ? 0 : isBlocked ? 1 : 2,
        });
      }
    });
  });

  it('tells a consent only where it was given and nothing blocks it, and of sensitive data what the state is', () => {
    const kinds = US_CATEGORIES.filter((each) => each.startsWith('SENSITIVE_'));
    check((given, said, name, values) => {
      const sensitive = (values[SENSITIVE] as number[] | undefined) ?? [];
      const stated = (categories: string[]) => purposesFor(given, said, categories);
      const consented = ({ state, effective }: ReturnType<typeof stated>[number]) =>
        state === 'GRANTED' && effective === 'ALLOWED';
      for (const field of ['PersonalDataConsents', MORE!]) {
        if (!(field in values)) continue;
        const purposes = stated(['ADDITIONAL_PROCESSING']);
        expect({ name, [field]: values[field] }).toEqual({
          name,
          [field]: purposes.length === 0 ? 0 : purposes.every(consented) ? 2 : 1,
        });
      }
      // For the nation there is a place for each kind, in the order of the catalogue's words.
      if (name === 'usnat')
        expect(sensitive).toEqual(
          kinds.map((kind) => (stated([kind]).length === 0 ? 0 : stated([kind]).every(consented) ? 2 : 1)),
        );
      const all = stated([...kinds]);
      const permits = ({ effective }: (typeof all)[number]) => effective === 'ALLOWED';
      const isOptOut = SENSITIVE_OPT_OUT.includes(name);
      // Whatever the order: no place permits unless some purpose does, and none is asked about that nobody uses.
      if (sensitive.includes(2)) expect(all.some(isOptOut ? permits : consented)).toBe(true);
      if (sensitive.includes(1)) expect(all.every(isOptOut ? permits : consented)).toBe(false);
      if (all.length === 0) expect(sensitive.every((value) => value === 0)).toBe(true);
      expect([values[CHILD!] ?? 0].flat().every((value) => value === 0)).toBe(true);
    });
  });

  it('tells the signal wherever it is on, and the agreement as the site set it', () => {
    check((given, { consent, answer }, _, values) => {
      const { covered, mode } = given.settings.gpp.mspa;
      expect(answer.gpc).toBe(consent.gpc.active);
      if ('Gpc' in values) expect(values['Gpc']).toBe(consent.gpc.active);
      expect(values['MspaCoveredTransaction']).toBe(covered ? 1 : 2);
      if ('MspaMode' in values)
        expect(values['MspaMode']).toBe(mode === 'OPT_OUT' ? 1 : mode === 'SERVICE_PROVIDER' ? 2 : 0);
      else
        expect([values['MspaOptOutOptionMode'], values['MspaServiceProviderMode']]).toEqual(
          mode === null ? [0, 0] : mode === 'OPT_OUT' ? [1, 2] : [2, 1],
        );
    });
  });

  it('permits nothing that the state blocks, whatever the reason', () => {
    const reasons = new Set<string>();
    check(
      (given, said, _, values) => {
        for (const { effective, effectiveReason } of purposesFor(given, said, ['SALE'])) {
          if (effective !== 'BLOCKED') continue;
          reasons.add(effectiveReason);
          expect(values['SaleOptOut']).not.toBe(2);
        }
      },
      // The same worlds each time, so that all reasons are among them.
      { numRuns: 400, seed: 15 },
    );
    expect([...reasons].sort()).toEqual(
      ['EXPIRED', 'EXPLICIT', 'NEVER_ASKED', 'POLICY_DEFAULT', 'RENEWAL_REQUIRED', 'SIGNAL_GPC'].sort(),
    );
  });
});
