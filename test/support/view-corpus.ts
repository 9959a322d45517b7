import { readFileSync } from 'node:fs';
import {
  CONSENT_MODELS,
  purposesInForce,
  templateInForce,
  type CatalogueEvent,
  type CatalogueState,
  type PurposePublishedData,
} from '../../libs/catalogue/index.js';
import { acceptedLocales } from '../../libs/pages/locale.js';
import type { BannerDefinition } from '../../libs/catalogue/banner/definition.js';
import { bannerView, noBanner } from '../../libs/catalogue/banner/view.js';
import type { CookiesDefinition } from '../../libs/catalogue/cookies/definition.js';
import { cookieListView } from '../../libs/catalogue/cookies/view.js';
import type { DocumentPublishedData } from '../../libs/catalogue/document.js';
import { catalogueFold, versionInForce } from '../../libs/catalogue/state.js';
import { templateView } from '../../libs/catalogue/template/template-view.js';
import type { VendorsDefinition } from '../../libs/catalogue/vendors/definition.js';
import { purposeView } from '../../libs/catalogue/view.js';
import { DECISIONS, type ConsentEvent, type ConsentRecordedData } from '../../libs/consent/index.js';
import { needsOwnCountry, openedCountry, type Asked } from '../../libs/consent/circumstances.js';
import { consentFold, transition, type FoldedByConsent } from '../../libs/consent/state.js';
import { consentStateView } from '../../libs/consent/state-view.js';
import { fold, keepSealed, PURPOSE_CATEGORIES, type DomainEvent } from '../../libs/kernel/index.js';
import type { PolicyView } from '../../libs/policy/index.js';
import { knownChannels } from '../../libs/preferences/known-channels.js';
import { preferenceFold, type FoldedByPreferences } from '../../libs/preferences/state.js';
import { preferencesView, type PreferencesView } from '../../libs/preferences/view.js';

/**
 * What each view answers over stored events that never change: the golden files, and events written out here. From the
 * events, and not from states, so that a fold that changes what is answered shows as well.
 */

const golden = <E extends DomainEvent>(name: string): E => {
  const { type, data, clear } = JSON.parse(
    readFileSync(new URL(`../history/${name}.json`, import.meta.url), 'utf8'),
  ) as DomainEvent & { clear?: unknown };
  return { type, data: clear ?? data } as E;
};

const day = (n: number): string => new Date(Date.UTC(2026, 10, n)).toISOString();
const MOMENTS = [1, 5, 9, 12, 20, 60].map(day);

/** Golden files are read in clear here. */
const NO_CIPHER = keepSealed('');

const WITH_AND_WITHOUT_SIGNAL = { gpc: { gpc: true }, plain: { gpc: false } };
/** Categories of which law says something else than of the rest. */
const OF_CATEGORIES = {
  statistics: { gpc: false, category: 'ANALYTICS' },
  sensitive: { gpc: false, category: 'SENSITIVE' },
};

/** A purpose of each model and kind, in three versions of which one is yet to come. */
function purposes(kinds: Readonly<Record<string, object>>): CatalogueEvent[] {
  const published = golden<CatalogueEvent>('PurposePublished.v1').data as PurposePublishedData;
  const version = (key: string, over: object, n: number, kind: 'MATERIAL' | 'EDITORIAL', from: number) =>
    ({
      type: 'PurposePublished',
      data: {
        ...published,
        definition: { ...published.definition, ...over, key },
        version: n,
        change: { from: n === 1 ? null : n - 1, kind, summary: `Version ${n}.` },
        effectiveFrom: day(from),
        publishedAt: day(1),
      },
    }) as CatalogueEvent;
  return CONSENT_MODELS.flatMap((consentModel) =>
    Object.entries(kinds).flatMap(([kind, over]) => {
      const key = `${consentModel.toLowerCase()}_${kind}`;
      return [
        version(key, { consentModel, ...over }, 1, 'MATERIAL', 2),
        version(key, { consentModel, ...over }, 2, 'EDITORIAL', 6),
        version(key, { consentModel, ...over }, 3, 'MATERIAL', 15),
      ];
    }),
  ).concat({ type: 'PurposeRetired', data: { key: 'opt_out_plain', version: 3, retiredAt: day(16) } });
}

const catalogue = (kinds: Readonly<Record<string, object>> = WITH_AND_WITHOUT_SIGNAL): CatalogueState =>
  fold(
    catalogueFold,
    [
      ...purposes(kinds),
      ...['PurposePublished.v1', 'TemplatePublished.v1'].map((name) => golden<CatalogueEvent>(name)),
    ],
    catalogueFold.initial(),
  );

/** One decision on each purpose, with or without an end, with or without the signal; then what may follow it. */
function* consentHistories(keys: readonly string[]): Generator<FoldedByConsent[]> {
  const record = golden<ConsentEvent>('ConsentRecorded.v1').data as ConsentRecordedData;
  const said = (over: Partial<ConsentRecordedData>): ConsentRecordedData => ({ ...record, ...over });
  const recorded = (data: ConsentRecordedData): FoldedByConsent => ({ type: 'ConsentRecorded', data });
  yield [];
  for (const decision of DECISIONS) {
    for (const [expiresAt, gpc, method] of [
      [null, undefined, 'TOGGLE'],
      [day(10), undefined, 'ACCEPT_ALL'],
      [null, true, 'TOGGLE'],
      [null, true, 'ACCEPT_ALL'],
    ] as const) {
      const first = keys.map((purpose, i) =>
        said({
          purpose,
          recordId: `rec_0000000000000000000000000${i}`,
          purposeVersion: 1,
          decision,
          state: transition('NOT_COLLECTED', decision),
          givenAt: day(4),
          recordedAt: day(4),
          expiresAt,
          collection: { method, surface: 'BANNER' },
          signals: gpc === undefined ? {} : { gpc },
        }),
      );
      yield first.map(recorded);
      // Later ones, and one that arrives late.
      for (const [next, givenAt] of [
        ['GRANTED', 7],
        ['DENIED', 7],
        ['GRANTED', 3],
      ] as const)
        yield [...first, ...first.map((data) => said({ ...data, decision: next, givenAt: day(givenAt) }))].map(
          recorded,
        );
    }
  }
  const granted = recorded(said({ purpose: keys[0]!, givenAt: day(4), expiresAt: day(8) }));
  // Places of which there is no rule, and none at all.
  for (const jurisdiction of [{ country: 'UK' }, { country: 'EU' }, undefined])
    yield keys.map((purpose) => {
      const { jurisdiction: _, ...placeless } = said({ purpose, givenAt: day(4) });
      return recorded({ ...placeless, ...(jurisdiction && { jurisdiction: { ...jurisdiction, source: 'DECLARED' } }) });
    });
  // The subject's own country, and what is weighed before it.
  const described = golden<FoldedByConsent>('SubjectCreated.v1.described');
  yield [described];
  yield [described, granted];
  yield [granted, golden<FoldedByConsent>('SubjectErased.v1')];
  yield [granted, golden<FoldedByConsent>('SubjectsMerged.v1')];
  yield [golden<FoldedByConsent>('SubjectsMerged.v1'), golden<FoldedByConsent>('SubjectMergeReverted.v1')];
}

export function* consentAnswers(): Generator<unknown> {
  const published = catalogue({ ...WITH_AND_WITHOUT_SIGNAL, ...OF_CATEGORIES });
  const keys = Object.keys(published.purposes).sort();
  const places: Asked['place'][] = [
    null,
    ...['DE', 'GB', 'US', 'US-CA', 'US-UT'].map((code) => ({
      country: code.slice(0, 2),
      region: code.includes('-') ? code : null,
      by: 'REQUEST' as const,
    })),
  ];
  for (const history of consentHistories(keys)) {
    const state = fold(consentFold, history, consentFold.initial());
    for (const at of MOMENTS) {
      for (const place of places) {
        for (const gpcOnRequest of [false, true])
          yield consentStateView(
            { subjectId: 'sub_1', revision: history.length, state },
            published,
            at === MOMENTS[0] ? keys.slice(0, 2) : undefined,
            { at, now: day(20) },
            { place, gpcOnRequest },
            needsOwnCountry(state, { place, gpcOnRequest }) ? openedCountry(state, NO_CIPHER) : null,
          );
      }
    }
  }
}

const PREFERENCE_HISTORIES = [
  [],
  ['PreferenceSet.v1'],
  ['PreferenceSet.v1', 'PreferenceConfirmationRequested.v1'],
  ['PreferenceSet.v1', 'PreferenceConfirmationRequested.v1', 'PreferenceConfirmed.v1'],
  ['PreferenceSet.v1', 'PreferenceConfirmationRequested.v1', 'PreferenceConfirmationExpired.v1'],
  ['IdentifierAdded.v1.verified', 'PreferenceSet.v1'],
  ['PreferenceSet.v1', 'SubjectsMerged.v1'],
  ['PreferenceSet.v1', 'SubjectErased.v1'],
];

export function* preferenceAnswers(): Generator<PreferencesView> {
  const published = catalogue();
  for (const names of PREFERENCE_HISTORIES) {
    const events = names.map((name) => golden<FoldedByPreferences>(name));
    const optedOut = events.map((event) =>
      event.type === 'PreferenceSet'
        ? {
            ...event,
            data: {
              ...event.data,
              globalOptOut: { ...event.data.globalOptOut!, wanted: true, state: 'ACTIVE' as const },
            },
          }
        : event,
    );
    for (const history of [events, optedOut]) {
      const choices = fold(preferenceFold, history, preferenceFold.initial());
      for (const at of ['2026-11-21T16:00:00.000Z', '2026-11-21T17:30:00.000Z', '2027-03-01T00:00:00.000Z']) {
        for (const template of [undefined, templateInForce(published, day(60))])
          yield preferencesView(
            {
              subjectId: 'sub_1',
              revision: history.length,
              updatedAt: choices.updatedAt,
              choices,
              valueOf: (value) => value as string | null,
            },
            knownChannels(template),
            at,
          );
      }
    }
  }
}

const WISHES = ['', 'de', 'de-AT, en;q=0.5', 'fr'].map(acceptedLocales);

export function* purposeAnswers(): Generator<unknown> {
  const published = catalogue();
  for (const at of MOMENTS) {
    for (const wishes of WISHES) {
      yield purposesInForce(published, at).map(({ key }) => key);
      for (const purpose of Object.values(published.purposes))
        yield purpose.versions.map((version) => purposeView(purpose, version, wishes, at));
    }
  }
}

export function* templateAnswers(): Generator<unknown> {
  const published = catalogue();
  for (const at of MOMENTS) for (const wishes of WISHES) yield templateView(templateInForce(published, at), wishes);
}

export function* cookieAnswers(): Generator<unknown> {
  const [cookies, vendors] = ['CookiesPublished.v1', 'VendorsPublished.v1'].map(
    (name) => golden<CatalogueEvent>(name).data,
  ) as [DocumentPublishedData<CookiesDefinition>, DocumentPublishedData<VendorsDefinition>];
  for (const list of [undefined, cookies])
    for (const known of [undefined, vendors]) for (const wishes of WISHES) yield cookieListView(list, known, wishes);
}

/** Of no place: the banner holds the policy as it is, and must not differ from its version because law does. */
const policy = (over: Partial<PolicyView>): PolicyView => ({
  id: 'DE.2021-12-01',
  object: 'policy',
  country: 'DE',
  region: null,
  regulation: 'GDPR',
  regulations: [],
  model: 'OPT_IN',
  bannerRequired: true,
  rejectRequired: true,
  categories: PURPOSE_CATEGORIES.map((category) => ({
    category,
    default: over.model !== 'OPT_IN' || category === 'NECESSARY' ? 'GRANTED' : 'DENIED',
    locked: category === 'NECESSARY',
  })),
  signals: { gpc: 'IGNORED' },
  consentValidityDays: 365,
  refusalCooldownDays: 180,
  ageOfDigitalConsent: 16,
  doubleOptIn: 'REQUIRED',
  dataRequests: {} as PolicyView['dataRequests'],
  frameworks: ['TCF', 'GPP'],
  gppSections: [2],
  matchedBy: 'COUNTRY',
  effectiveFrom: null,
  effectiveTo: null,
  fingerprint: '',
  overriddenBy: [],
  asOf: '2026-11-21',
  review: false,
  doubts: [],
  notLegalAdvice: true,
  ...over,
});

export function* bannerAnswers(): Generator<unknown> {
  const published = catalogue({ ...WITH_AND_WITHOUT_SIGNAL, ...OF_CATEGORIES });
  const banner = golden<CatalogueEvent>('BannerPublished.v1').data as DocumentPublishedData<BannerDefinition>;
  const at = day(20);
  const purposes = purposesInForce(published, at).map((purpose) => ({
    ...purposeView(purpose, versionInForce(purpose, at)!, [], at),
    frameworks: { tcf: { purposes: [], specialFeatures: [] }, google: ['analytics_storage' as const], us: [] },
  }));
  const withoutAsking = purposes.filter(({ consentModel }) => consentModel !== 'OPT_IN');
  const models = ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'NONE'] as const;
  for (const model of models)
    for (const isDemanded of [false, true])
      for (const refusalCooldownDays of [null, 10, 365]) {
        const of = policy({ model, rejectRequired: isDemanded, bannerRequired: isDemanded, refusalCooldownDays });
        yield noBanner(of);
        for (const shown of [purposes, withoutAsking, []])
          for (const locale of ['en', 'ar']) yield bannerView(banner, of, shown, locale);
      }
  yield bannerView(banner, policy({ frameworks: [], gppSections: [] }), [], 'en');
}
