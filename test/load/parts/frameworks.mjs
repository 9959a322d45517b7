import { cpuUsage } from 'node:process';

/** About as many as a list of IAB Europe has. */
const VENDORS = 1_100;
/** Different subjects, so that nothing is answered twice. */
const SUBJECTS = 200;
const AT = '2026-11-23T12:00:00.000Z';
const AT_ONCE = 8;

/** What one core is to make without a cache, and what the library alone made on the machine where that was decided. */
const TC_STRINGS_PER_SECOND = 2_000;
const LIBRARY_PER_SECOND = 77;

export const FRAMEWORKS = [
  { name: 'tc-string', title: `TC string with ${VENDORS.toLocaleString('en')} vendors, one core` },
  { name: 'gpp-string', title: 'GPP string of California, one core' },
  { name: 'google-consent', title: 'additional consent and consent mode of Google, one core' },
];

/**
 * Strings made of what holds, on one core, without HTTP, without a log and without a cache: of subjects who differ. TC and
 * GPP strings beside what the libraries of IAB make of the same in windows of the same run; both must be the same text.
 */
export async function measureFrameworks(_, options, progress, measured) {
  const made = await prepared();
  for (const { name, title } of FRAMEWORKS) {
    if (!options.wants(name)) continue;
    const { ours, plain, floor } = made[name];
    if (plain) same(name, ours(1), plain(1));
    const windows = [];
    for (let round = 0; round <= options.rounds; round++) {
      const other = plain ? rate(plain, options.seconds) : null;
      const own = rate(ours, options.seconds);
      // The first time the code is not compiled yet.
      if (round > 0) windows.push({ ...own, ratio: other ? own.perSecond / other.perSecond : own.perSecond });
      progress.say(`${title}: ${Math.round(own.perSecond).toLocaleString('en')}/s`);
    }
    windows.sort((a, b) => a.ratio - b.ratio);
    const middle = windows[windows.length >> 1];
    measured([
      {
        name,
        title,
        value: middle.ratio,
        unit: plain ? 'of the library' : '/s',
        ...(floor && { floor }),
        perSecond: middle.perSecond,
        cpuUs: middle.cpuUs,
        spread: (windows.at(-1).ratio - windows[0].ratio) / middle.ratio,
      },
    ]);
  }
}

async function prepared() {
  const { GVL, TCString } = await import('@iabtechlabtcf/core');
  const { GppModel } = await import('@iabgpp/cmpapi');
  const { SYNTHETIC_LISTS } = await import('../../../dist/libs/consent-strings/vendor-list/synthetic-list.js');
  const { SYNTHETIC_PROVIDERS } = await import('../../../dist/libs/consent-strings/vendor-list/synthetic-providers.js');
  const { modelOf, tcStringOf } = await import('../../../dist/libs/consent-strings/tcf/tc-string.js');
  const { tcChoices } = await import('../../../dist/libs/consent-strings/tcf/tc-choices.js');
  const { additionalConsent, providerChoices } =
    await import('../../../dist/libs/consent-strings/google/additional-consent.js');
  const { googleConsentMode, GoogleRegions } =
    await import('../../../dist/libs/consent-strings/google/consent-mode.js');
  const { gppAnswer } = await import('../../../dist/libs/consent-strings/gpp/gpp-answer.js');

  const list = listOf(SYNTHETIC_LISTS.at(-1));
  const cmp = { id: 300, version: 4, isRegistered: true };
  const [standing, californian] = [await standings(list, 'DE', null), await standings(list, 'US', 'US-CA')];
  const whole = new GVL(structuredClone(list));
  const plainModel = (subject) => {
    const day = new Date(`${subject.lastChangedAt.slice(0, 10)}T00:00:00.000Z`);
    const model = modelOf(tcChoices(subject, list), subject, list, cmp, day);
    // As the library is used by itself: with the whole list.
    model.gvl = whole;
    return model;
  };
  const models = standing.map(plainModel);
  const gpp = (subject) =>
    gppAnswer(
      subject,
      () => true,
      () => null,
    );
  const parsed = californian.map((subject) => gpp(subject).parsed);
  const regions = new GoogleRegions({ purposes: {}, documents: {} }, standing[0].purposes, AT);
  return {
    'tc-string': {
      ours: (n) => tcStringOf(standing[n], list, cmp).tcString,
      plain: (n) => {
        const { lastUpdated, created } = models[n];
        const text = TCString.encode(models[n]);
        Object.assign(models[n], { lastUpdated, created });
        return text;
      },
      floor: { least: TC_STRINGS_PER_SECOND / LIBRARY_PER_SECOND },
    },
    'gpp-string': {
      ours: (n) => gpp(californian[n]).gppString,
      plain: (n) => {
        const model = new GppModel();
        for (const [section, fields] of Object.entries(parsed[n]))
          for (const [field, value] of Object.entries(fields)) model.setFieldValue(section, field, value);
        return model.encode();
      },
      floor: { least: 1 },
    },
    'google-consent': {
      ours: (n) =>
        JSON.stringify([
          additionalConsent(providerChoices(standing[n], list, SYNTHETIC_PROVIDERS)),
          googleConsentMode(standing[n], regions),
        ]),
    },
  };
}

/** The synthetic list with vendors up to that many, of all its kinds. */
function listOf({ synthetic: _, ...list }) {
  const kinds = Object.values(list.vendors).filter(({ deletedDate }) => deletedDate === undefined);
  const vendors = Array.from({ length: VENDORS }, (_, i) => [i + 1, { ...kinds[i % kinds.length], id: i + 1 }]);
  return { ...list, vendorListVersion: 178, vendors: Object.fromEntries(vendors) };
}

/** What holds of subjects who decided in different ways on purposes and on single vendors. */
async function standings(list, country, region) {
  const { circumstancesOf } = await import('../../../dist/libs/consent/circumstances.js');
  const purpose = (key, tcf, us, state) => ({
    key,
    legalBasis: 'CONSENT',
    consentModel: us.length > 0 ? 'OPT_OUT' : 'OPT_IN',
    category: us.length > 0 ? 'SALE_SHARE' : 'MARKETING',
    gpc: us.length > 0,
    frameworks: { tcf: { purposes: tcf, specialFeatures: [] }, google: [], us },
    state,
    effective: state === 'GRANTED' ? 'ALLOWED' : 'BLOCKED',
    reason: 'EXPLICIT',
    byDefault: 'BLOCKED',
  });
  const vendors = Object.keys(list.vendors).map((id) => ({
    key: `v${id}`,
    name: `Vendor ${id}`,
    country: null,
    privacyPolicy: null,
    purposeKeys: ['ads'],
    frameworks: { tcf: Number(id), google: null },
  }));
  const place = { country, region, by: 'REQUEST' };
  const { dated } = circumstancesOf(AT, { place, gpcOnRequest: false }, { purposes: {}, gpc: null });
  return Array.from({ length: SUBJECTS }, (_, n) => ({
    subjectId: `sub_${n}`,
    at: AT,
    hasChosen: true,
    purposes: [
      purpose('ads', [1, 2, 3, 4], ['TARGETED_ADVERTISING'], n % 3 === 0 ? 'DENIED' : 'GRANTED'),
      purpose('figures', [7, 8, 9, 10], [], n % 2 === 0 ? 'GRANTED' : 'DENIED'),
      purpose('sale', [], ['SALE', 'SHARING'], n % 5 === 0 ? 'DENIED' : 'GRANTED'),
    ],
    ownPurposes: ['sale'],
    vendors,
    decided: { TCF: new Map([[(n % VENDORS) + 1, 'DENIED']]), GOOGLE: new Map() },
    dated,
    gpc: { active: n % 7 === 0, binds: false },
    lastChangedAt: `2026-11-${String((n % 20) + 1).padStart(2, '0')}T10:00:00.000Z`,
    settings: {
      tcf: { cmpId: 300, cmpVersion: 4 },
      gpp: { approach: 'STATE', unsettledSections: false, mspa: { covered: false, mode: null } },
    },
    publisherCountry: 'DE',
    // The library writes the language of the list, whatever it is told.
    locale: 'en',
    waitForUpdateMs: null,
  }));
}

function same(name, ours, plain) {
  if (ours !== plain) throw new Error(`${name}: we make ${ours}, the library ${plain}`);
}

/** How often in a second of processor: what runs beside us takes none of it. */
function rate(make, seconds) {
  const before = cpuUsage();
  const until = performance.now() + seconds * 1000;
  let count = 0;
  while (performance.now() < until) for (let i = 0; i < AT_ONCE; i++) make(count++ % SUBJECTS);
  const { user, system } = cpuUsage(before);
  const cpuUs = (user + system) / count;
  return { perSecond: 1e6 / cpuUs, cpuUs };
}
