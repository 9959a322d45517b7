import { describe, expect, it } from '@jest/globals';
import type { Collection, ConsentRecordedData } from './events.js';
import { circumstancesOf, announcedPlace, type Circumstances } from './circumstances.js';
import { explanation } from './explanation.js';
import { consentFold, type ConsentState } from './state.js';
import { purposeView, recordView, type PurposeInForce } from './view.js';

const AT = '2026-11-21T12:00:00.000Z';
const BEFORE = '2026-11-01T00:00:00.000Z';
const optIn: PurposeInForce = {
  key: 'p',
  version: 1,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'MARKETING',
  gpc: true,
  lastMaterialVersion: 1,
  vendorsAskMoreSince: null,
};
const optOut: PurposeInForce = { ...optIn, consentModel: 'OPT_OUT', legalBasis: 'LEGITIMATE_INTERESTS' };
const notice: PurposeInForce = { ...optIn, consentModel: 'NOTICE_ONLY', gpc: false };
const always: PurposeInForce = { ...optIn, consentModel: 'ALWAYS_ON', legalBasis: 'CONTRACT' };
const nothing = (): ConsentState => consentFold.initial();
/** At a place, without a signal. */
const in_ = (code: string, at = AT): Circumstances => {
  const place = { country: code.slice(0, 2), region: code.includes('-') ? code : null, by: 'REQUEST' } as const;
  return circumstancesOf(at, { place, gpcOnRequest: false }, nothing());
};
/** Opt-out, and the signal binds; the same, and it does not; opt-in. */
const [california, virginia, germany] = [in_('US-CA'), in_('US-VA'), in_('DE')];
const quiet = california;
const sensitive: PurposeInForce = { ...notice, category: 'SENSITIVE' };

/** A state, made by the test that asks about it. */
type Making = () => ConsentState;
const after = (over: Partial<ConsentRecordedData>, before: Making = nothing): ConsentState =>
  consentFold.evolve(before(), {
    type: 'ConsentRecorded',
    data: {
      recordId: 'rec_00000000000000000000000001',
      purpose: 'p',
      purposeVersion: 1,
      decision: 'GRANTED',
      previousState: 'NOT_COLLECTED',
      state: 'GRANTED',
      appliedToState: true,
      supersededBy: null,
      source: 'API',
      givenAt: BEFORE,
      recordedAt: BEFORE,
      expiresAt: null,
      actor: { type: 'SUBJECT' },
      notice: { locale: 'en', contentHash: '' },
      provenance: { keyId: 'k' },
      ...over,
    },
  });

const granted = (): ConsentState => after({});
const denied = (): ConsentState => after({ decision: 'DENIED' });
const ended = (): ConsentState => after({ expiresAt: '2026-11-10T00:00:00.000Z' });
const endedNotice = (): ConsentState => after({ decision: 'ACKNOWLEDGED', expiresAt: '2026-11-10T00:00:00.000Z' });
const gpcOn = (): ConsentState =>
  after({ purpose: 'other', signals: { gpc: true }, givenAt: '2026-11-05T00:00:00.000Z' });
const grantedAfterGpc = (): ConsentState =>
  after({ givenAt: '2026-11-06T00:00:00.000Z', collection: { method: 'TOGGLE', surface: 'BANNER' } }, gpcOn);
const byMethod = (method: Collection['method']): ConsentState =>
  after({ givenAt: '2026-11-06T00:00:00.000Z', collection: { method, surface: 'BANNER' } }, gpcOn);
const grantedWithGpc = (): ConsentState =>
  after({ givenAt: '2026-11-05T00:00:00.000Z', collection: { method: 'TOGGLE', surface: 'BANNER' } }, gpcOn);
const grantedBeforeGpc = (): ConsentState =>
  after({ purpose: 'other', signals: { gpc: true }, givenAt: '2026-11-05T00:00:00.000Z' }, granted);

describe('what may be done', () => {
  it.each([
    ['nothing said, opt-in', optIn, nothing, quiet, 'BLOCKED', 'NEVER_ASKED'],
    ['nothing said, opt-out', optOut, nothing, quiet, 'ALLOWED', 'POLICY_DEFAULT'],
    ['nothing said, notice only', notice, nothing, quiet, 'ALLOWED', 'POLICY_DEFAULT'],
    ['always on, whatever was said', always, denied, quiet, 'ALLOWED', 'LEGAL_BASIS'],
    ['granted', optIn, granted, quiet, 'ALLOWED', 'EXPLICIT'],
    ['denied, opt-in', optIn, denied, quiet, 'BLOCKED', 'EXPLICIT'],
    ['denied, opt-out', optOut, denied, quiet, 'BLOCKED', 'EXPLICIT'],
    ['withdrawn', optOut, () => after({ decision: 'WITHDRAWN' }), quiet, 'BLOCKED', 'EXPLICIT'],
    ['a grant and a signal on this request', optIn, granted, { ...quiet, gpcOnRequest: true }, 'BLOCKED', 'SIGNAL_GPC'],
    ['ran out, opt-in', optIn, ended, quiet, 'BLOCKED', 'EXPIRED'],
    ['ran out, opt-out', optOut, ended, quiet, 'ALLOWED', 'POLICY_DEFAULT'],
    [
      'materially changed since, opt-in',
      { ...optIn, version: 3, lastMaterialVersion: 2 },
      granted,
      quiet,
      'BLOCKED',
      'RENEWAL_REQUIRED',
    ],
    ['reworded since', { ...optIn, version: 3, lastMaterialVersion: 1 }, granted, quiet, 'ALLOWED', 'EXPLICIT'],
    ['signal on this request, opt-out', optOut, nothing, { ...quiet, gpcOnRequest: true }, 'BLOCKED', 'SIGNAL_GPC'],
    [
      'signal on this request where it does not bind',
      optOut,
      nothing,
      { ...virginia, gpcOnRequest: true },
      'ALLOWED',
      'POLICY_DEFAULT',
    ],
    [
      'signal, purpose out of its reach',
      { ...optOut, gpc: false },
      nothing,
      { ...quiet, gpcOnRequest: true },
      'ALLOWED',
      'POLICY_DEFAULT',
    ],
    ['signal recorded after the grant', optIn, grantedBeforeGpc, quiet, 'BLOCKED', 'SIGNAL_GPC'],
    ['a specific grant after the signal', optIn, grantedAfterGpc, quiet, 'ALLOWED', 'EXPLICIT'],
    ['a specific grant of the instant of the signal', optIn, grantedWithGpc, quiet, 'ALLOWED', 'EXPLICIT'],
    ['ran out, notice only', notice, endedNotice, quiet, 'ALLOWED', 'POLICY_DEFAULT'],
    ['acknowledged', notice, () => after({ decision: 'ACKNOWLEDGED' }), quiet, 'ALLOWED', 'EXPLICIT'],
    [
      'materially changed since, opt-out',
      { ...optOut, version: 3, lastMaterialVersion: 2 },
      granted,
      quiet,
      'ALLOWED',
      'POLICY_DEFAULT',
    ],
    [
      'granted for the version that changed it',
      { ...optIn, version: 2, lastMaterialVersion: 2 },
      () => after({ purposeVersion: 2 }),
      quiet,
      'ALLOWED',
      'EXPLICIT',
    ],
    ['nothing said, opt-out where the place is opt-in', optOut, nothing, germany, 'BLOCKED', 'POLICY_DEFAULT'],
    ['granted, opt-out where the place is opt-in', optOut, granted, germany, 'ALLOWED', 'EXPLICIT'],
    ['ran out, opt-out where the place is opt-in', optOut, ended, germany, 'BLOCKED', 'EXPIRED'],
    [
      'materially changed since, opt-out where the place is opt-in',
      { ...optOut, version: 3, lastMaterialVersion: 2 },
      granted,
      germany,
      'BLOCKED',
      'RENEWAL_REQUIRED',
    ],
    [
      'statistics in the United Kingdom',
      { ...optOut, category: 'ANALYTICS' },
      nothing,
      in_('GB'),
      'ALLOWED',
      'POLICY_DEFAULT',
    ],
    [
      'statistics there, before the law was changed',
      { ...optOut, category: 'ANALYTICS' },
      nothing,
      in_('GB', '2026-02-04T23:59:59.999Z'),
      'BLOCKED',
      'POLICY_DEFAULT',
    ],
    ['nothing said, opt-in where the place is opt-out', optIn, nothing, california, 'BLOCKED', 'NEVER_ASKED'],
    ['nothing said, notice only where the place is opt-in', notice, nothing, germany, 'ALLOWED', 'POLICY_DEFAULT'],
    ['sensitive, notice only', sensitive, nothing, california, 'BLOCKED', 'POLICY_DEFAULT'],
    [
      'sensitive, and the notice was read',
      sensitive,
      () => after({ decision: 'ACKNOWLEDGED' }),
      california,
      'BLOCKED',
      'POLICY_DEFAULT',
    ],
    ['sensitive, and granted', sensitive, granted, california, 'ALLOWED', 'EXPLICIT'],
    ['what is necessary, opt-out', { ...optOut, category: 'NECESSARY' }, nothing, germany, 'ALLOWED', 'POLICY_DEFAULT'],
    ['signal and refusal', optOut, () => after({ decision: 'OBJECTED' }, gpcOn), quiet, 'BLOCKED', 'EXPLICIT'],
  ] as const)('%s', (_, purpose, state, circumstances, effective, reason) => {
    const answer = explanation(purpose, state(), circumstances);
    expect([answer.effective, answer.reason]).toEqual([effective, reason]);
    expect(answer.because.at(-1)).toEqual({ step: 'RESULT', text: `${effective} (${reason}).` });
  });

  it.each<[Collection['method'], boolean]>([
    ['ACCEPT_ALL', false],
    ['DISMISS', false],
    ['SIGNAL', false],
    ['SCRIPT', false],
    ['TOGGLE', true],
    ['SAVE_CHOICES', true],
    ['CHECKBOX', true],
    ['SIGNATURE', true],
  ])('a grant by %s after the signal weighs more than the signal: %p', (method, overrides) => {
    expect(explanation(optIn, byMethod(method), quiet).reason).toBe(overrides ? 'EXPLICIT' : 'SIGNAL_GPC');
  });

  it('keeps what was said apart from what may be done', () =>
    expect(purposeView({ ...optIn, version: 2, lastMaterialVersion: 2 }, granted(), quiet)).toMatchObject({
      state: 'GRANTED',
      effective: 'BLOCKED',
      renewal: { required: true, reason: 'PURPOSE_VERSION_CHANGED' },
      receiptId: 'rct_00000000000000000000000001',
    }));

  it('shows a grant as expired at the very instant it ends', () => {
    const last = { ...quiet, at: '2026-11-09T23:59:59.999Z' };
    expect(purposeView(optIn, ended(), last).state).toBe('GRANTED');
    expect(purposeView(optIn, ended(), { ...quiet, at: '2026-11-10T00:00:00.000Z' })).toMatchObject({
      state: 'EXPIRED',
      renewal: { required: true, reason: 'EXPIRED' },
    });
  });

  it('forgets the signal when the browser stops sending it with a choice', () => {
    const off = after({ purpose: 'other', signals: { gpc: false }, givenAt: '2026-11-07T00:00:00.000Z' }, gpcOn);
    expect(explanation(optOut, off, quiet).reason).toBe('POLICY_DEFAULT');
  });
});

describe('why', () => {
  const RECORD = 'rec_00000000000000000000000001: GRANTED given at 2026-11-01T00:00:00.000Z, source API.';
  const OPT_IN = 'Version 1, legal basis CONSENT, model OPT_IN.';
  const OPT_OUT = 'Version 1, legal basis LEGITIMATE_INTERESTS, model OPT_OUT.';
  const signalled: Circumstances = { ...quiet, gpcOnRequest: true };
  /** By the data of the law, which are tried by themselves. */
  const told = ({ dated }: Circumstances, meaning: string): string => {
    const [act] = dated.rule.regulations;
    return `Rule ${dated.id}, of ${dated.place!.name}, which the request names (${act!.key}: ${act!.source}; read on 2026-11-21). ${meaning}`;
  };
  const ASKS = told(california, 'Whatever it says, an OPT_IN purpose needs a grant in every place.');
  const LETS = told(california, 'Under it MARKETING needs no grant; a refusal blocks it.');
  const VIRGINIA = told(virginia, 'Under it MARKETING needs no grant; a refusal blocks it.');
  const materially = { ...optIn, version: 3, lastMaterialVersion: 2 };

  it.each<[string, PurposeInForce, Making, Circumstances, [string, string][]]>([
    [
      'nothing was said',
      optIn,
      nothing,
      quiet,
      [
        ['PURPOSE', OPT_IN],
        ['RECORD', 'No decision was recorded.'],
        ['POLICY', ASKS],
      ],
    ],
    [
      'nothing was said, and silence means yes',
      optOut,
      nothing,
      quiet,
      [
        ['PURPOSE', OPT_OUT],
        ['RECORD', 'No decision was recorded.'],
        ['POLICY', LETS],
      ],
    ],
    ['it needs no consent', always, granted, quiet, [['PURPOSE', 'Version 1, legal basis CONTRACT, model ALWAYS_ON.']]],
    [
      'it was granted',
      optIn,
      granted,
      quiet,
      [
        ['PURPOSE', OPT_IN],
        ['RECORD', RECORD],
        ['POLICY', ASKS],
      ],
    ],
    [
      'a signal binds',
      optOut,
      nothing,
      signalled,
      [
        ['PURPOSE', OPT_OUT],
        ['RECORD', 'No decision was recorded.'],
        ['POLICY', LETS],
        ['SIGNAL', 'Global Privacy Control is on and binds here.'],
      ],
    ],
    [
      'a signal does not bind',
      optOut,
      nothing,
      { ...virginia, gpcOnRequest: true },
      [
        ['PURPOSE', OPT_OUT],
        ['RECORD', 'No decision was recorded.'],
        ['POLICY', VIRGINIA],
        ['SIGNAL', 'Global Privacy Control is on but does not bind here.'],
      ],
    ],
    [
      'a choice overrides the signal',
      optIn,
      grantedAfterGpc,
      quiet,
      [
        ['PURPOSE', OPT_IN],
        ['RECORD', RECORD.replace('11-01', '11-06')],
        ['POLICY', ASKS],
        ['SIGNAL', 'Global Privacy Control is on and binds here.'],
        ['SIGNAL', 'A newer choice about this very purpose overrides the signal.'],
      ],
    ],
    [
      'the purpose changed since',
      materially,
      granted,
      quiet,
      [
        ['PURPOSE', 'Version 3, legal basis CONSENT, model OPT_IN.'],
        ['RECORD', RECORD],
        ['POLICY', ASKS],
        ['VERSION', 'Granted for version 1; version 2 changed it materially.'],
      ],
    ],
    [
      'the grant ran out',
      optIn,
      ended,
      quiet,
      [
        ['PURPOSE', OPT_IN],
        ['RECORD', RECORD],
        ['POLICY', ASKS],
        ['CLOCK', 'Ran out at 2026-11-10T00:00:00.000Z.'],
      ],
    ],
  ])('is told step by step where %s', (_, purpose, state, circumstances, steps) =>
    expect(
      explanation(purpose, state(), circumstances)
        .because.slice(0, -1)
        .map(({ step, text }) => [step, text]),
    ).toEqual(steps),
  );
});

describe('the place of an older record', () => {
  it.each([
    [{ country: 'UK' }, 'GB', null],
    [{ country: 'UK', region: 'UK-SCT' }, 'GB', 'GB-SCT'],
    [{ country: 'US', region: 'US-CA' }, 'US', 'US-CA'],
    [{ country: 'EU' }, 'EU', null],
    [{ country: 'ZZ', region: 'ZZ-A' }, 'ZZ', 'ZZ-A'],
    [undefined, null, null],
  ])('%j is listed by the codes that are known here, else as it was recorded', (recorded, country, region) =>
    expect(announcedPlace(recorded)).toEqual({ country, region }),
  );
});

describe('the rule in an explanation', () => {
  const told = (circumstances: Circumstances): string =>
    explanation(optOut, nothing(), circumstances).because.find(({ step }) => step === 'POLICY')!.text;
  const nowhere = { place: null, gpcOnRequest: false };

  it('is named with its version, its source and how the place is known', () => {
    expect(told(germany)).toContain('Rule DE.2018-05-25, of Germany, which the request names (GDPR: art. 6');
    const there = (place: NonNullable<ConsentState['place']>) =>
      told(circumstancesOf(AT, nowhere, { ...nothing(), place }));
    expect(there({ country: 'US', region: 'US-CA', since: AT })).toMatch(
      /, of California, which the newest record names \(CCPA: .*; read on 2026-11-21\)\. Under it MARKETING needs no grant; a refusal blocks it\.$/,
    );
    expect(there({ country: 'UK', since: AT })).toContain('of United Kingdom, which the newest record names');
    expect(there({ country: 'EU', since: AT })).toContain(
      'Rule fallback, the strictest, since none is known of the place, which the newest record names (no act is known; read on 2026-11-21). Under it MARKETING needs a grant.',
    );
    expect(told(circumstancesOf(AT, nowhere, nothing()))).toContain(', the strictest, since no place is known (');
    expect(told(circumstancesOf(AT, nowhere, nothing(), 'US'))).toContain(
      'of United States, which is known as the subject’s own',
    );
    const seen = { country: 'DE', region: null, by: 'PROXY' } as const;
    expect(told(circumstancesOf(AT, { ...nowhere, place: seen }, nothing()))).toContain('which the proxy names');
  });

  it('is that of the request before that of any record', () => {
    const place = { country: 'US', region: 'US-CA', since: AT };
    const asked = { country: 'DE', region: null, by: 'REQUEST' } as const;
    expect(circumstancesOf(AT, { ...nowhere, place: asked }, { ...nothing(), place }).dated.id).toBe('DE.2018-05-25');
  });

  it('is that of the own country of the subject only where no record names a place', () => {
    const place = { country: 'US', region: 'US-CA', since: AT };
    expect(circumstancesOf(AT, nowhere, { ...nothing(), place }, 'DE')).toMatchObject({ placedBy: 'RECORD' });
    expect(circumstancesOf(AT, nowhere, nothing(), 'UK')).toMatchObject({
      placedBy: 'SUBJECT',
      dated: { place: { code: 'GB' } },
    });
    const asked = { country: 'DE', region: null, by: 'REQUEST' } as const;
    expect(circumstancesOf(AT, { ...nowhere, place: asked }, nothing(), 'US')).toMatchObject({ placedBy: 'REQUEST' });
  });

  it('is the one that the site made its own, since when it did', () => {
    const changes = { model: 'OPT_IN', signals: { gpc: 'IGNORED' } } as const;
    const ownRules = [
      {
        effectiveFrom: AT,
        definition: {
          policies: [{ country: 'US', region: 'US-CA', changes, who: 'Board', why: 'Everywhere the same' }],
        },
      },
    ];
    const california = { country: 'US', region: 'US-CA', by: 'REQUEST' } as const;
    const there = (at: string) =>
      circumstancesOf(at, { place: california, gpcOnRequest: false }, nothing(), null, ownRules);
    expect(told(there(AT))).toContain('; changed by Board: Everywhere the same).');
    expect(told(there(AT))).toContain('Under it MARKETING needs a grant.');
    expect(there(AT).dated.rule.gpc).toBe('IGNORED');
    const before = new Date(Date.parse(AT) - 1).toISOString();
    expect(told(there(before))).toContain('Under it MARKETING needs no grant; a refusal blocks it.');
    expect(there(before).dated.rule.gpc).toBe('BINDING');
  });

  it('is not called the strictest where a place has no act', () => {
    const place = { country: 'US', region: 'US-WY', since: AT };
    const text = told(circumstancesOf(AT, nowhere, { ...nothing(), place }));
    expect(text).toMatch(
      /, of \S.*, which the newest record names \(no act is known; read on 2026-11-21\)\. Under it /,
    );
    expect(text).not.toContain('strictest');
  });

  it.each<[string, PurposeInForce['category'], string]>([
    ['told', 'FUNCTIONAL', 'Whatever it says, a NOTICE_ONLY purpose needs no grant in any place; a refusal blocks it.'],
    ['told of what is sensitive', 'SENSITIVE', 'Under it SENSITIVE needs a grant.'],
  ])('is not given as the reason where the model is: somebody is %s', (_, category, meaning) => {
    const { because } = explanation({ ...optOut, consentModel: 'NOTICE_ONLY', category }, nothing(), germany);
    expect(because.find(({ step }) => step === 'POLICY')!.text).toMatch(new RegExp(`\\. ${meaning}$`));
  });

  it('says who changed it and why', () => {
    const dated = {
      ...germany.dated,
      overriddenBy: [{ place: 'DE', fields: [], who: 'DPO', why: 'advised', effectiveFrom: null }],
    };
    expect(told({ ...germany, dated })).toContain('; changed by DPO: advised). Under it ');
  });
});

describe('what is shown', () => {
  it('of a purpose that nobody decided on is empty', () =>
    expect(purposeView(optOut, nothing(), quiet)).toEqual({
      state: 'NOT_COLLECTED',
      effective: 'ALLOWED',
      effectiveReason: 'POLICY_DEFAULT',
      purposeVersion: null,
      givenAt: null,
      recordedAt: null,
      expiresAt: null,
      source: null,
      renewal: { required: false, reason: null },
      receiptId: null,
    }));

  it('of a decision is that decision', () =>
    expect(
      purposeView(
        optIn,
        after({ recordedAt: '2026-11-02T00:00:00.000Z', source: 'IMPORT', expiresAt: '2027-11-01T00:00:00.000Z' }),
        quiet,
      ),
    ).toEqual({
      state: 'GRANTED',
      effective: 'ALLOWED',
      effectiveReason: 'EXPLICIT',
      purposeVersion: 1,
      givenAt: BEFORE,
      recordedAt: '2026-11-02T00:00:00.000Z',
      expiresAt: '2027-11-01T00:00:00.000Z',
      source: 'IMPORT',
      renewal: { required: false, reason: null },
      receiptId: 'rct_00000000000000000000000001',
    }));

  it('asks again who granted before a vendor asked for more, and allows as before', () => {
    const since = (vendorsAskMoreSince: string) => purposeView({ ...optIn, vendorsAskMoreSince }, granted(), quiet);
    expect(since('2026-11-01T00:00:00.001Z')).toMatchObject({
      effective: 'ALLOWED',
      effectiveReason: 'EXPLICIT',
      renewal: { required: true, reason: 'VENDORS_ASK_MORE' },
    });
    expect(since(BEFORE).renewal).toEqual({ required: false, reason: null });
    const changedToo = { ...optIn, version: 2, lastMaterialVersion: 2, vendorsAskMoreSince: AT };
    expect(purposeView(changedToo, granted(), quiet).renewal.reason).toBe('PURPOSE_VERSION_CHANGED');
    for (const state of [denied(), nothing()])
      expect(purposeView({ ...optIn, vendorsAskMoreSince: AT }, state, quiet).renewal.required).toBe(false);
  });

  it('asks nobody again who refused, whatever changed since', () =>
    expect(purposeView({ ...optIn, version: 2, lastMaterialVersion: 2 }, denied(), quiet).renewal).toEqual({
      required: false,
      reason: null,
    }));

  it('of a record is what its event says', () => {
    const data: ConsentRecordedData = {
      recordId: 'rec_00000000000000000000000001',
      purpose: 'p',
      purposeVersion: 3,
      decision: 'DENIED',
      previousState: 'GRANTED',
      state: 'WITHDRAWN',
      appliedToState: false,
      supersededBy: 'rec_2',
      source: 'IMPORT',
      givenAt: BEFORE,
      recordedAt: AT,
      expiresAt: null,
      actor: { type: 'SUBJECT' },
      notice: { locale: 'en', contentHash: '' },
      provenance: { keyId: 'k' },
    };
    expect(recordView('sub_1', 7, data)).toEqual({
      id: 'rec_00000000000000000000000001',
      object: 'consent_record',
      subject: { id: 'sub_1' },
      purpose: 'p',
      purposeVersion: 3,
      decision: 'DENIED',
      state: 'WITHDRAWN',
      previousState: 'GRANTED',
      source: 'IMPORT',
      givenAt: BEFORE,
      recordedAt: AT,
      expiresAt: null,
      sequence: 7,
      receiptId: 'rct_00000000000000000000000001',
      appliedToState: false,
      supersededBy: 'rec_2',
    });
  });
});
