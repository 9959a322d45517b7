import { describe, expect, it } from '@jest/globals';
import { CmpApi } from '@iabtechlabtcf/cmpapi';
import { TCString } from '@iabtechlabtcf/core';
import fc from 'fast-check';
import { NO_FRAMEWORKS } from '../../libs/access/index.js';
import {
  catalogueFold,
  GOOGLE_CONSENT_TYPES,
  type CatalogueEvent,
  type CatalogueState,
  type PurposeDefinition,
  type Vendor,
} from '../../libs/catalogue/index.js';
import { turningPointsOf as catalogueTurns } from '../../libs/catalogue/state.js';
import { RESTRICTION_TYPES } from '../../libs/catalogue/vendors/definition.js';
import { turningPointsOf } from '../../libs/consent/circumstances.js';
import { DECISIONS, VENDOR_FRAMEWORKS, type ConsentEvent, type VendorDecision } from '../../libs/consent/events.js';
import { recordConsent } from '../../libs/consent/decide.js';
import { supersedes } from '../../libs/consent/purposes.js';
import { consentFold } from '../../libs/consent/state.js';
import { consentStanding, consentStateView } from '../../libs/consent/state-view.js';
import { additionalConsent, providerChoices } from '../../libs/consent-strings/google/additional-consent.js';
import { googleConsentMode, GoogleRegions } from '../../libs/consent-strings/google/consent-mode.js';
import { standingOf, type Standing } from '../../libs/consent-strings/standing/standing.js';
import { deletedBy } from '../../libs/consent-strings/tcf/declared.js';
import { tcDataOf } from '../../libs/consent-strings/tcf/tc-data.js';
import { tcChoices } from '../../libs/consent-strings/tcf/tc-choices.js';
import { modelOf, tcStringOf } from '../../libs/consent-strings/tcf/tc-string.js';
import type { GlobalVendorList, GvlVendor } from '../../libs/consent-strings/vendor-list/gvl.js';
import { SYNTHETIC_LISTS } from '../../libs/consent-strings/vendor-list/synthetic-list.js';
import { SYNTHETIC_PROVIDERS } from '../../libs/consent-strings/vendor-list/synthetic-providers.js';
import { fold, instantOf, type Instant } from '../../libs/kernel/index.js';
import { passedBy } from '../../libs/http/answers/revalidated.js';
import { allRuleStarts } from '../../libs/policy/index.js';
import { readTcString } from '../support/bit-reader.js';
import { purposeDefinition } from '../support/purposes.js';

/*
 * Strings and state cannot disagree. Random catalogues, lists, histories, places and signals are made into strings; each is
 * read with a reader of the tests' own, and every bit is compared with what GET /v1/subjects/{ref}/consent answers.
 */

const START = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 86_400_000;
const at = (day: number): Instant => instantOf(START + day * DAY_MS);
const CMP = { id: 300, version: 4, isRegistered: true };
const NOTHING_STANDS = ['DENIED', 'WITHDRAWN', 'OBJECTED', 'PENDING', 'EXPIRED', 'NOT_COLLECTED'];

const subset = <T>(values: readonly T[], max = values.length): fc.Arbitrary<T[]> =>
  fc.subarray([...values], { maxLength: max });
const KEYS = ['ads', 'stats', 'shop', 'news'] as const;
const TCF_IDS = [1, 2, 3, 4, 7, 10, 11];

const purpose = (key: string): fc.Arbitrary<PurposeDefinition> =>
  fc
    .record({
      legalBasis: fc.constantFrom<PurposeDefinition['legalBasis'][]>(
        'CONSENT',
        'CONSENT',
        'LEGITIMATE_INTERESTS',
        'CONTRACT',
      ),
      consentModel: fc.constantFrom<PurposeDefinition['consentModel'][]>(
        'OPT_IN',
        'OPT_IN',
        'OPT_OUT',
        'NOTICE_ONLY',
        'ALWAYS_ON',
      ),
      category: fc.constantFrom<PurposeDefinition['category'][]>(
        'MARKETING',
        'ANALYTICS',
        'SALE_SHARE',
        'NECESSARY',
        'SENSITIVE',
      ),
      gpc: fc.boolean(),
      frameworks: fc.record({
        tcf: fc.record({ purposes: subset(TCF_IDS, 3), specialFeatures: subset([1, 2], 1) }),
        google: subset(GOOGLE_CONSENT_TYPES, 2),
        us: fc.constant<string[]>([]),
      }),
    })
    .map((more) => purposeDefinition(key, more));

const declaring = (id: number): fc.Arbitrary<GvlVendor> =>
  fc
    .record({
      purposes: subset(TCF_IDS, 3),
      interests: subset([2, 7, 10, 11], 2),
      isFlexible: fc.boolean(),
      specialPurposes: subset([1, 2], 1),
      deletedDate: fc.option(fc.constantFrom(at(-5), at(30)), { nil: undefined, freq: 4 }),
    })
    .map(({ purposes, interests, isFlexible, specialPurposes, deletedDate }) => {
      const legIntPurposes = interests.filter((each) => !purposes.includes(each));
      return {
        ...SYNTHETIC_LISTS[0]!.vendors['8']!,
        ...{ id, purposes, legIntPurposes, specialPurposes },
        flexiblePurposes: isFlexible ? [...purposes, ...legIntPurposes].filter((each) => each !== 1) : [],
        features: [],
        specialFeatures: [],
        ...(deletedDate !== undefined && { deletedDate }),
      };
    });

const VENDOR_IDS = [2, 8, 28, 60, 61, 62, 755];
const PROVIDER_IDS = [7, 21, 35, 89, 4000];
const list: fc.Arbitrary<GlobalVendorList> = fc
  .tuple(...VENDOR_IDS.filter((id) => id !== 2).map(declaring))
  .map((vendors) => ({ ...SYNTHETIC_LISTS[0]!, vendors: Object.fromEntries(vendors.map((each) => [each.id, each])) }));

const vendors: fc.Arbitrary<Vendor[]> = fc
  .array(
    fc.record({
      tcf: fc.option(fc.constantFrom(...VENDOR_IDS)),
      google: fc.option(fc.constantFrom(...PROVIDER_IDS)),
      purposeKeys: subset(KEYS, 2),
      restrictions: fc.uniqueArray(
        fc.record({ purpose: fc.constantFrom(...TCF_IDS), type: fc.constantFrom(...RESTRICTION_TYPES) }),
        { maxLength: 2, selector: (each) => each.purpose },
      ),
    }),
    { maxLength: 7 },
  )
  .map((drawn) => {
    const used = new Set<string>();
    const once = (kind: string, id: number | null): number | null => {
      if (id === null || used.has(`${kind} ${id}`)) return null;
      used.add(`${kind} ${id}`);
      return id;
    };
    return drawn.map(({ tcf, google, purposeKeys, restrictions }, v): Vendor => ({
      ...{ key: `vendor_${v}`, name: `Vendor ${v}`, country: null, privacyPolicy: null, purposeKeys },
      frameworks: { tcf: once('tcf', tcf), google: once('google', google) },
      ...(restrictions.length > 0 && { restrictions }),
    }));
  });

const catalogue: fc.Arbitrary<CatalogueState> = fc
  .record({
    purposes: fc.tuple(...KEYS.map(purpose)),
    renewed: fc.option(fc.constantFrom(...KEYS)),
    retired: fc.option(fc.constantFrom(...KEYS), { freq: 5 }),
    vendors,
    told: fc.option(subset([0, 1, 2, 3, 4, 5, 6])),
  })
  .map(({ purposes, renewed, retired, vendors: listed, told }) => {
    const published = (definition: PurposeDefinition, version: number, since: number): CatalogueEvent => ({
      type: 'PurposePublished',
      data: {
        definition,
        version,
        change: {
          from: version === 1 ? null : version - 1,
          kind: version === 1 ? 'EDITORIAL' : 'MATERIAL',
          summary: '',
        },
        definitionHash: `sha256:${version}`,
        effectiveFrom: at(since),
        publishedAt: at(since),
      } as never,
    });
    const document = (type: string, definition: unknown): CatalogueEvent =>
      ({ type, data: { definition, version: 1, effectiveFrom: at(-9), publishedAt: at(-9) } }) as never;
    const keys = listed.map(({ key }) => key);
    return fold(catalogueFold, [
      ...purposes.map((definition) => published(definition, 1, -9)),
      ...(renewed === null ? [] : [published(purposes[KEYS.indexOf(renewed)]!, 2, 20)]),
      ...(retired === null
        ? []
        : [{ type: 'PurposeRetired', data: { key: retired, retiredAt: at(25) } } as CatalogueEvent]),
      document('VendorsPublished', { vendors: listed }),
      document('BannerPublished', {
        tcf: { publisherCountry: 'DE', ...(told && { vendors: told.flatMap((v) => keys[v] ?? []) }) },
        google: { waitForUpdateMs: 500 },
      }),
    ]);
  });

interface Doing {
  purpose: (typeof KEYS)[number];
  decision: (typeof DECISIONS)[number];
  day: number;
  lifeDays: number | null;
  method: 'TOGGLE' | 'ACCEPT_ALL';
  gpc: boolean | undefined;
  vendors: VendorDecision[] | undefined;
  isPast: boolean;
}
const doing: fc.Arbitrary<Doing> = fc.record({
  purpose: fc.constantFrom(...KEYS),
  decision: fc.constantFrom('GRANTED' as const, 'GRANTED' as const, 'GRANTED' as const, ...DECISIONS),
  day: fc.integer({ min: 0, max: 18 }),
  lifeDays: fc.constantFrom(null, null, 5, 40),
  method: fc.constantFrom('TOGGLE' as const, 'ACCEPT_ALL' as const),
  gpc: fc.constantFrom(undefined, undefined, true, false),
  vendors: fc.option(
    fc.array(
      fc.record<VendorDecision>({
        framework: fc.constantFrom(...VENDOR_FRAMEWORKS),
        id: fc.constantFrom(...VENDOR_IDS, ...PROVIDER_IDS),
        decision: fc.constantFrom('GRANTED', 'DENIED'),
      }),
      { maxLength: 3 },
    ),
    { nil: undefined },
  ),
  isPast: fc.boolean(),
});

function lived(doings: readonly Doing[]): ConsentEvent[] {
  const events: ConsentEvent[] = [];
  let state = consentFold.initial();
  for (const [i, each] of [...doings].sort((a, b) => a.day - b.day).entries()) {
    const givenAt = instantOf(START + each.day * DAY_MS - (each.isPast ? 3_600_000 * 20 : 0));
    const ends = each.lifeDays !== null && (each.decision === 'GRANTED' || each.decision === 'ACKNOWLEDGED');
    const decided = recordConsent(
      {
        ...{ recordId: `rec_${i}`, purpose: each.purpose, decision: each.decision, source: 'API', givenAt },
        ...(ends && { expiresAt: instantOf(Date.parse(givenAt) + each.lifeDays! * DAY_MS) }),
        ...(each.gpc !== undefined && { signals: { gpc: each.gpc } }),
        ...(each.vendors && { vendors: each.vendors }),
        collection: { method: each.method, surface: 'BANNER' },
        provenance: { keyId: 'key_x' },
      },
      {
        ...{ version: 1, retired: false, legalBasis: 'LEGITIMATE_INTERESTS', consentModel: 'NOTICE_ONLY' },
        ...{ validityDays: null, notice: { locale: 'en', contentHash: '' } },
      },
      state,
      at(each.day),
    );
    if (decided.refused) continue;
    events.push(...decided.events);
    state = decided.events.reduce(consentFold.evolve, state);
  }
  return events;
}

const PLACES = [
  { country: 'DE', region: null },
  { country: 'US', region: 'US-CA' },
  { country: 'US', region: 'US-VA' },
  { country: 'CA', region: null },
  null,
];

interface Scene {
  catalogue: CatalogueState;
  list: GlobalVendorList;
  events: ConsentEvent[];
  place: (typeof PLACES)[number];
  gpcOnRequest: boolean;
  day: number;
}
const scene: fc.Arbitrary<Scene> = fc
  .record({
    catalogue,
    list,
    doings: fc.array(doing, { maxLength: 9 }),
    place: fc.constantFrom(...PLACES),
    gpcOnRequest: fc.boolean(),
    day: fc.constantFrom(19, 24, 26, 45),
  })
  .map(({ doings, ...others }) => ({ ...others, events: lived(doings) }));

const askedIn = ({ place, gpcOnRequest }: Scene) => ({
  place: place && { ...place, by: 'REQUEST' as const },
  gpcOnRequest,
});
const snapshotOf = ({ events }: Scene) => ({
  subjectId: 'sub_1',
  revision: events.length - 1,
  state: fold(consentFold, events),
});
/** What GET /v1/subjects/{ref}/consent answers. */
const stateIn = (seen: Scene, day = seen.day) =>
  consentStateView(snapshotOf(seen), seen.catalogue, undefined, { at: at(day), now: at(day) }, askedIn(seen)).purposes;
const standingIn = (seen: Scene, day = seen.day): Standing =>
  standingOf(
    consentStanding(snapshotOf(seen), seen.catalogue, { at: at(day), now: at(day) }, askedIn(seen)),
    seen.catalogue,
    { settings: NO_FRAMEWORKS, locale: 'de-AT' },
  );

/** Purposes that people are asked for at the moment of a scene, with what the interface answers of each. */
function asked(seen: Scene) {
  const state = stateIn(seen);
  return Object.values(seen.catalogue.purposes).flatMap(({ key, versions, retiredAt }) =>
    retiredAt !== null && retiredAt <= at(seen.day) ? [] : [{ definition: versions[0]!.definition, view: state[key]! }],
  );
}
type Asked = ReturnType<typeof asked>[number];
const isAllowed = ({ view }: Asked): boolean => view.effective === 'ALLOWED';
const isGranted = (each: Asked): boolean => isAllowed(each) && each.view.state === 'GRANTED';
const isTold = (each: Asked): boolean => isAllowed(each) && ['GRANTED', 'ACKNOWLEDGED'].includes(each.view.state);
const all = (of: readonly Asked[], is: (each: Asked) => boolean): boolean => of.length > 0 && of.every(is);
const to24 = Array.from({ length: 24 }, (_, i) => i + 1);

/** What was decided about one vendor, told by the records themselves. */
function decidedOn({ events, day }: Scene, framework: string, id: number): 'GRANTED' | 'DENIED' | 'EXPIRED' | null {
  let stands: { decision: 'GRANTED' | 'DENIED'; givenAt: Instant; source: 'API'; ends: Instant | null } | undefined;
  for (const event of events)
    if (event.type === 'ConsentRecorded')
      for (const vendor of event.data.vendors ?? [])
        if (vendor.framework === framework && vendor.id === id) {
          const next = { decision: vendor.decision, givenAt: event.data.givenAt, source: 'API' as const };
          if (supersedes(next, stands)) stands = { ...next, ends: event.data.expiresAt };
        }
  if (!stands) return null;
  return stands.decision === 'GRANTED' && stands.ends !== null && stands.ends <= at(day) ? 'EXPIRED' : stands.decision;
}

/** Whom the banner tells people of, by the catalogue as it was published. */
function told({ catalogue: { documents } }: Scene): Vendor[] {
  const keys = documents.banner![0]!.definition.tcf.vendors;
  return documents.vendors![0]!.definition.vendors.filter(({ key }) => !keys || keys.includes(key));
}

describe('the TC string', () => {
  it('says of purposes what the state allows, and nothing of what was refused, withdrawn, ended, never asked or blocked', () =>
    fc.assert(
      fc.property(scene, (seen) => {
        const { core, publisher } = readTcString(tcStringOf(standingIn(seen), seen.list, CMP).tcString);
        const purposes = asked(seen);
        const of = (basis: string, id: number) =>
          purposes.filter(
            ({ definition }) => definition.legalBasis === basis && definition.frameworks.tcf.purposes.includes(id),
          );
        expect(core.purposeConsents).toEqual(to24.filter((id) => all(of('CONSENT', id), isGranted)));
        expect(core.purposeLegitimateInterests).toEqual(
          to24.filter((id) => ![1, 3, 4, 5, 6].includes(id) && all(of('LEGITIMATE_INTERESTS', id), isTold)),
        );
        expect(core.specialFeatures).toEqual(
          [1, 2].filter((id) =>
            all(
              purposes.filter(({ definition }) => definition.frameworks.tcf.specialFeatures.includes(id)),
              isGranted,
            ),
          ),
        );
        for (const { definition, view } of purposes)
          if (view.effective === 'BLOCKED' || NOTHING_STANDS.includes(view.state))
            for (const id of definition.frameworks.tcf.purposes) {
              if (definition.legalBasis === 'CONSENT') expect(core.purposeConsents).not.toContain(id);
              if (definition.legalBasis === 'LEGITIMATE_INTERESTS')
                expect(core.purposeLegitimateInterests).not.toContain(id);
            }
        expect([publisher!.consents, publisher!.legitimateInterests]).toEqual([
          core.purposeConsents,
          core.purposeLegitimateInterests,
        ]);
        const own = standingIn(seen).ownPurposes;
        const named = (key: string | undefined, basis: string) =>
          purposes.filter(({ definition }) => definition.key === key && definition.legalBasis === basis);
        expect(publisher!.customPurposes).toBe(own.length);
        expect(publisher!.customConsents).toEqual(
          to24.filter((place) => all(named(own[place - 1], 'CONSENT'), isGranted)),
        );
        expect(publisher!.customLegitimateInterests).toEqual(
          to24.filter((place) => all(named(own[place - 1], 'LEGITIMATE_INTERESTS'), isTold)),
        );
      }),
    ));

  it('says of vendors what purposes, the vendor list, restrictions and decisions about each come to', () =>
    fc.assert(
      fc.property(scene, (seen) => {
        const { core, disclosed } = readTcString(tcStringOf(standingIn(seen), seen.list, CMP).tcString);
        const isKnown = seen.events.length > 0;
        const shown = told(seen).flatMap((vendor) => {
          const entry = seen.list.vendors[String(vendor.frameworks.tcf)];
          return entry && !(entry.deletedDate !== undefined && entry.deletedDate <= at(seen.day))
            ? [{ vendor, entry }]
            : [];
        });
        const ids = (of: typeof shown): number[] => of.map(({ entry }) => entry.id).sort((a, b) => a - b);
        expect(disclosed).toEqual(isKnown ? ids(shown) : []);

        const holds = ({ vendor, entry }: (typeof shown)[number], id: number, type: string): boolean =>
          (vendor.restrictions ?? []).some((each) => each.purpose === id && each.type === type) &&
          (type === 'NOT_ALLOWED' || entry.flexiblePurposes.includes(id));
        const byConsent = (each: (typeof shown)[number], id: number): boolean =>
          !holds(each, id, 'NOT_ALLOWED') &&
          (each.entry.purposes.includes(id)
            ? [1, 3, 4, 5, 6].includes(id) || !holds(each, id, 'REQUIRE_LEGITIMATE_INTEREST')
            : each.entry.legIntPurposes.includes(id) && holds(each, id, 'REQUIRE_CONSENT'));
        const byInterest = (each: (typeof shown)[number], id: number): boolean =>
          !holds(each, id, 'NOT_ALLOWED') &&
          (each.entry.legIntPurposes.includes(id)
            ? !holds(each, id, 'REQUIRE_CONSENT')
            : each.entry.purposes.includes(id) &&
              ![1, 3, 4, 5, 6].includes(id) &&
              holds(each, id, 'REQUIRE_LEGITIMATE_INTEREST'));
        const isOpen = ({ entry }: (typeof shown)[number]): boolean =>
          [null, 'GRANTED'].includes(decidedOn(seen, 'TCF', entry.id));
        expect(core.vendorConsents).toEqual(
          ids(shown.filter((each) => isOpen(each) && core.purposeConsents.some((id) => byConsent(each, id)))),
        );
        expect(core.vendorLegitimateInterests).toEqual(
          isKnown
            ? ids(
                shown.filter(
                  (each) => isOpen(each) && core.purposeLegitimateInterests.some((id) => byInterest(each, id)),
                ),
              )
            : [],
        );
        for (const { purpose: id, type, vendors: restricted } of core.restrictions)
          for (const each of shown.filter(({ entry }) => restricted.includes(entry.id)))
            expect(each.vendor.restrictions).toContainEqual({ purpose: id, type: RESTRICTION_TYPES[type] });
      }),
    ));

  it('has three segments, is made for one service, and is dated by the day of what was said last', () =>
    fc.assert(
      fc.property(scene, (seen) => {
        const made = tcStringOf(standingIn(seen), seen.list, CMP);
        const { core, segments } = readTcString(made.tcString);
        expect(segments).toEqual([1, 3]);
        expect(core).toMatchObject({
          version: 2,
          cmpId: 300,
          cmpVersion: 4,
          consentLanguage: 'DE',
          publisherCountry: 'DE',
          isServiceSpecific: true,
          vendorListVersion: seen.list.vendorListVersion,
          policyVersion: seen.list.tcfPolicyVersion,
        });
        expect(core.created).toEqual(core.lastUpdated);
        expect([core.created.toISOString(), made.created]).toEqual([made.lastUpdated, made.lastUpdated]);
        const moments = seen.events.flatMap((event) => {
          if (event.type !== 'ConsentRecorded') return [];
          const { givenAt, expiresAt } = event.data;
          return [givenAt, ...(expiresAt !== null && expiresAt <= at(seen.day) ? [expiresAt] : [])];
        });
        const days = moments.map((moment) => moment.slice(0, 10));
        expect(days.length === 0 ? publishedBy(seen) : days).toContain(made.created.slice(0, 10));
      }),
    ));

  it('is byte for byte what the library would write, which finds nothing in it that contradicts the list', () =>
    fc.assert(
      fc.property(scene, (seen) => {
        const standing = standingIn(seen);
        const { tcString, created } = tcStringOf(standing, seen.list, CMP);
        const model = modelOf(tcChoices(standing, seen.list), standing, seen.list, CMP, new Date(created));
        const [language, country] = [model.consentLanguage, model.publisherCountryCode];
        expect([language, country]).toEqual(['DE', 'DE']);
        // The library writes the language of its list instead: what it wrote is compared with ours behind that field.
        const [own, theirs] = [tcString, TCString.encode(model)].map((text) => {
          const read = readTcString(text);
          return { ...read, core: { ...read.core, consentLanguage: '' } };
        });
        expect(own).toEqual(theirs);
      }),
      { numRuns: 50 },
    ));

  it('says to pages what the library of IAB reads from it', () => {
    const page: { window?: { __tcfapi?: (...call: unknown[]) => void } } = globalThis as never;
    page.window = {};
    const api = new CmpApi(CMP.id, CMP.version, true);
    fc.assert(
      fc.property(scene, (seen) => {
        const standing = standingIn(seen);
        const made = tcStringOf(standing, seen.list, CMP);
        api.update(made.tcString);
        const read: object[] = [];
        page.window!.__tcfapi!('getTCData', 2, (data: object) => read.push(data));
        const { eventStatus, cmpStatus, ...theirs } = JSON.parse(JSON.stringify(read[0])) as Record<string, unknown>;
        expect([eventStatus, cmpStatus]).toEqual([expect.any(String), 'loaded']);
        // The library takes every string as one of a place where GDPR applies.
        expect(theirs).toEqual({ ...tcDataOf(made, standing, seen.list, CMP), gdprApplies: true });
      }),
      { numRuns: 50 },
    );
    delete page.window;
  });

  it('changes only when something changes of which its ETag tells', () =>
    fc.assert(
      fc.property(scene, fc.integer({ min: 19, max: 60 }), (seen, later) => {
        const { state } = snapshotOf(seen);
        const told = (day: number): unknown => [
          passedBy(turningPointsOf(state), at(day)),
          passedBy(catalogueTurns(seen.catalogue), at(day)),
          Object.values(seen.catalogue.purposes).filter(({ retiredAt }) => retiredAt !== null && retiredAt <= at(day))
            .length,
          deletedBy(seen.list, at(day)),
          passedBy(allRuleStarts(), at(day)),
        ];
        if (JSON.stringify(told(seen.day)) !== JSON.stringify(told(later))) return;
        const [one, other] = [standingIn(seen), standingIn(seen, later)];
        expect(tcStringOf(other, seen.list, CMP)).toEqual(tcStringOf(one, seen.list, CMP));
      }),
    ));
});

/** The days on which something took effect that people are asked for. */
const publishedBy = (seen: Scene): string[] =>
  asked(seen).flatMap(({ definition }) =>
    seen.catalogue.purposes[definition.key]!.versions.flatMap(({ effectiveFrom }) =>
      effectiveFrom <= at(seen.day) ? effectiveFrom.slice(0, 10) : [],
    ),
  );

describe('Google’s consent mode', () => {
  it('grants what the state allows for every purpose that names the type, and else by the purposes of TCF', () =>
    fc.assert(
      fc.property(scene, (seen) => {
        const standing = standingIn(seen);
        const { update, default: byDefault } = googleConsentMode(
          standing,
          new GoogleRegions(seen.catalogue, standing.purposes, standing.at),
        );
        const purposes = asked(seen);
        const tcf = (id: number): boolean =>
          all(
            purposes.filter(({ definition }) => definition.frameworks.tcf.purposes.includes(id)),
            isAllowed,
          );
        const necessary = all(
          purposes.filter(({ definition }) => definition.category === 'NECESSARY'),
          isAllowed,
        );
        const otherwise: Record<string, boolean> = {
          ad_storage: tcf(1),
          ad_user_data: tcf(1) && tcf(7),
          ad_personalization: tcf(3) && tcf(4),
          functionality_storage: necessary,
          security_storage: necessary,
        };
        for (const type of GOOGLE_CONSENT_TYPES) {
          const carriers = purposes.filter(({ definition }) => definition.frameworks.google.includes(type));
          const isExpected = carriers.length > 0 ? carriers.every(isAllowed) : (otherwise[type] ?? false);
          expect([type, update[type]]).toEqual([type, isExpected ? 'granted' : 'denied']);
          if (carriers.some(({ view }) => view.effective === 'BLOCKED')) expect(update[type]).toBe('denied');
        }
        const nobody = googleConsentMode(
          standingIn({ ...seen, events: [], gpcOnRequest: false }),
          new GoogleRegions(seen.catalogue, standing.purposes, standing.at),
        );
        expect(nobody.update).toEqual(nobody.default);
        expect(byDefault).toEqual(nobody.default);
      }),
    ));

  it('names for its default the places where it holds, by codes of ISO 3166, that of the subject among them', () =>
    fc.assert(
      fc.property(scene, (seen) => {
        const standing = standingIn(seen);
        const regions = new GoogleRegions(seen.catalogue, standing.purposes, standing.at);
        const { region, default: byDefault } = googleConsentMode(standing, regions);
        if (seen.place === null) return expect(region).toEqual([]);
        expect(region).toContain(seen.place.region ?? seen.place.country);
        for (const code of region) expect(code).toMatch(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/);
        expect(region).not.toContain('EU');
        const code = region[seen.day % region.length]!;
        const place = { country: code.slice(0, 2), region: code.includes('-') ? code : null };
        const there = standingIn({ ...seen, place });
        expect(googleConsentMode(there, regions).default).toEqual(byDefault);
      }),
      { numRuns: 50 },
    ));
});

describe('Google’s additional consent', () => {
  it('names each provider that people were told of once, with consent where all that it serves is granted', () =>
    fc.assert(
      fc.property(scene, (seen) => {
        const made = additionalConsent(providerChoices(standingIn(seen), seen.list, SYNTHETIC_PROVIDERS));
        const [, consented, disclosed] = /^2~([\d.]*)~dv\.([\d.]*)$/.exec(made)!;
        const read = (part: string): number[] => (part === '' ? [] : part.split('.').map(Number));
        const shown = told(seen).filter(({ frameworks: { google, tcf } }) => {
          const entry = tcf === null ? undefined : seen.list.vendors[tcf];
          const isOnList = entry && !(entry.deletedDate !== undefined && entry.deletedDate <= at(seen.day));
          return google !== null && google !== 4000 && !isOnList && seen.events.length > 0;
        });
        const granted = new Set(
          asked(seen)
            .filter(isGranted)
            .map(({ definition }) => definition.key),
        );
        const ids = (is: (vendor: Vendor) => boolean): number[] =>
          shown
            .filter(is)
            .map(({ frameworks }) => frameworks.google!)
            .sort((a, b) => a - b);
        const isConsented = ({ purposeKeys, frameworks }: Vendor): boolean =>
          [null, 'GRANTED'].includes(decidedOn(seen, 'GOOGLE', frameworks.google!)) &&
          purposeKeys.length > 0 &&
          purposeKeys.every((key) => granted.has(key));
        expect(read(consented!)).toEqual(ids(isConsented));
        expect(read(disclosed!)).toEqual(ids((vendor) => !isConsented(vendor)));
      }),
    ));
});
