import { act, doubt, noticeOnly, optOut, period, requests, unconfirmed } from '../acts.js';
import type { LocalDate } from '../local-date.js';
import type { Doubt, PolicyPlace, RequestPeriods, Rule } from '../rule.js';

const SOURCE = 'Privacy Guides; myprivacy.blog, Free State Foundation, JD Supra and Troutman, overviews';

/** All of them: 45 days, and 45 more. Opting out of sale and targeted advertising, consent for what is sensitive. */
const RIGHTS = ['ACCESS', 'OPT_OUT_SALE_SHARE', 'OPT_OUT_TARGETED_ADS'] as const;
const FORTY_FIVE = requests(period(45, 'CALENDAR_DAYS', 45), RIGHTS);
/** IAB GPP, section usnat: for the states without a section, and those whose sections are not settled. */
const USNAT = 7;

/** No comprehensive act: notice is given. */
const NO_ACT: Rule = noticeOnly({ regulations: [], dataRequests: requests(period(null, 'CALENDAR_DAYS'), []) });

interface StateAct {
  key: string;
  name: string;
  from: LocalDate;
  /** From when Global Privacy Control must be honoured; absent where it need not. */
  gpcFrom?: LocalDate;
  gpp: number;
  dataRequests?: RequestPeriods;
  doubts?: Doubt[];
}

/** Notice, then the act, then, where that came later, the act with a signal that binds. */
function rulesOf({ key, name, from, gpcFrom, gpp, dataRequests = FORTY_FIVE, doubts = [] }: StateAct): Rule[] {
  const rule = (more: Partial<Rule>): Rule =>
    optOut({
      regulations: [{ key, name, source: SOURCE }],
      dataRequests,
      frameworks: ['GPP', 'GOOGLE'],
      gppSections: [gpp],
      doubts,
      ...more,
    });
  const bindsAtOnce = gpcFrom !== undefined && gpcFrom <= from;
  return [
    NO_ACT,
    rule({ from, gpc: bindsAtOnce ? 'BINDING' : 'ADVISORY' }),
    ...(gpcFrom !== undefined && !bindsAtOnce ? [rule({ from: gpcFrom, gpc: 'BINDING' })] : []),
  ];
}

const state = (code: string, name: string, zone: string, given?: StateAct): PolicyPlace => ({
  code: `US-${code}`,
  name,
  zone: zone.includes('/') ? zone : `America/${zone}`,
  rules: given ? rulesOf(given) : [NO_ACT],
});

const SENSITIVE = doubt(
  'categories',
  'the description of IAB GPP calls sensitive data opt-out here; the stricter reading is taken',
);

const NAME = doubt('regulations', 'the sources give the abbreviation alone; the full name is from general knowledge');

const CALIFORNIA_REQUESTS = requests(period(45, 'CALENDAR_DAYS', 45), RIGHTS, {
  exceptions: [{ types: ['OPT_OUT_SALE_SHARE', 'OPT_OUT_TARGETED_ADS'], ...period(15, 'BUSINESS_DAYS') }],
  acknowledgement: { dueDays: 10, unit: 'BUSINESS_DAYS' },
});
const CONFIRMED_WITHIN = doubt('dataRequests', 'receipt is confirmed within 10 days, taken as business days');
const california = (from: LocalDate, key: string, name: string, more: Partial<Rule>): Rule =>
  optOut({
    from,
    regulations: [act(key, name, 'P')],
    dataRequests: CALIFORNIA_REQUESTS,
    frameworks: ['GPP', 'GOOGLE'],
    gppSections: [8],
    doubts: [SENSITIVE, CONFIRMED_WITHIN],
    ...more,
  });
const CPRA = ['CCPA', 'California Consumer Privacy Act, as amended by the Privacy Rights Act (CPRA)'] as const;

const CALIFORNIA: PolicyPlace = {
  code: 'US-CA',
  name: 'California',
  zone: 'America/Los_Angeles',
  rules: [
    NO_ACT,
    california('2020-01-01', 'CCPA', 'California Consumer Privacy Act', {}),
    california('2023-01-01', ...CPRA, { gpc: 'BINDING' }),
  ],
};

/** Who is in the country and in no state that we know is treated by the strictest of the state laws. */
const UNKNOWN_STATE: PolicyPlace = {
  code: 'US',
  name: 'United States',
  zone: 'America/New_York',
  rules: [
    california('2020-01-01', 'CCPA', 'California Consumer Privacy Act', {
      gpc: 'BINDING',
      gppSections: [USNAT],
      doubts: [
        SENSITIVE,
        CONFIRMED_WITHIN,
        doubt('regulation', 'no state is known: the strictest of the state laws, that of California, is taken'),
      ],
    }),
  ],
};

export const UNITED_STATES: readonly PolicyPlace[] = [
  UNKNOWN_STATE,
  CALIFORNIA,
  state('VA', 'Virginia', 'New_York', {
    key: 'VCDPA',
    name: 'Consumer Data Protection Act',
    from: '2023-01-01',
    gpp: 9,
  }),
  state('CO', 'Colorado', 'Denver', {
    key: 'CPA',
    name: 'Colorado Privacy Act',
    from: '2023-07-01',
    gpcFrom: '2024-07-01',
    gpp: 10,
  }),
  state('CT', 'Connecticut', 'New_York', {
    key: 'CTDPA',
    name: 'Connecticut Data Privacy Act',
    from: '2023-07-01',
    gpcFrom: '2025-01-01',
    gpp: 12,
  }),
  state('UT', 'Utah', 'Denver', {
    key: 'UCPA',
    name: 'Utah Consumer Privacy Act',
    from: '2023-12-31',
    gpp: 11,
    doubts: [SENSITIVE],
  }),
  state('TX', 'Texas', 'Chicago', {
    key: 'TDPSA',
    name: 'Texas Data Privacy and Security Act',
    from: '2024-07-01',
    gpcFrom: '2025-01-01',
    gpp: 16,
  }),
  state('OR', 'Oregon', 'Los_Angeles', {
    key: 'OCPA',
    name: 'Oregon Consumer Privacy Act',
    from: '2024-07-01',
    gpcFrom: '2026-01-01',
    gpp: 15,
  }),
  state('FL', 'Florida', 'New_York', {
    key: 'FDBR',
    name: 'Florida Digital Bill of Rights, for very large firms',
    from: '2024-07-01',
    gpp: 13,
  }),
  state('MT', 'Montana', 'Denver', {
    key: 'MCDPA',
    name: 'Montana Consumer Data Privacy Act',
    from: '2024-10-01',
    gpcFrom: '2025-01-01',
    gpp: 14,
  }),
  state('DE', 'Delaware', 'New_York', {
    key: 'DPDPA',
    name: 'Delaware Personal Data Privacy Act',
    from: '2025-01-01',
    gpcFrom: '2026-01-01',
    gpp: 17,
  }),
  state('IA', 'Iowa', 'Chicago', {
    key: 'ICDPA',
    name: 'Iowa Consumer Data Protection Act',
    from: '2025-01-01',
    gpp: 18,
    dataRequests: requests(period(90, 'CALENDAR_DAYS', 45), RIGHTS),
    doubts: [SENSITIVE, ...unconfirmed('dataRequests')],
  }),
  state('NE', 'Nebraska', 'Chicago', {
    key: 'NDPA',
    name: 'Nebraska Data Privacy Act',
    from: '2025-01-01',
    gpcFrom: '2025-01-01',
    gpp: 19,
  }),
  state('NH', 'New Hampshire', 'New_York', {
    key: 'NHDPA',
    name: 'New Hampshire Data Privacy Act',
    from: '2025-01-01',
    gpcFrom: '2025-01-01',
    gpp: 20,
  }),
  state('NJ', 'New Jersey', 'New_York', {
    key: 'NJDPA',
    name: 'New Jersey Data Privacy Act',
    from: '2025-01-15',
    gpcFrom: '2025-07-15',
    gpp: 21,
  }),
  state('TN', 'Tennessee', 'Chicago', {
    key: 'TIPA',
    name: 'Tennessee Information Protection Act',
    from: '2025-07-01',
    gpp: 22,
  }),
  state('MN', 'Minnesota', 'Chicago', {
    key: 'MCDPA',
    name: 'Minnesota Consumer Data Privacy Act',
    from: '2025-07-31',
    gpcFrom: '2025-07-31',
    gpp: 23,
  }),
  state('MD', 'Maryland', 'New_York', {
    key: 'MODPA',
    name: 'Maryland Online Data Privacy Act',
    from: '2025-10-01',
    gpcFrom: '2025-10-01',
    gpp: USNAT,
  }),
  state('IN', 'Indiana', 'America/Indiana/Indianapolis', {
    key: 'ICDPA',
    name: 'Indiana Consumer Data Protection Act',
    from: '2026-01-01',
    gpp: USNAT,
  }),
  state('KY', 'Kentucky', 'New_York', {
    key: 'KCDPA',
    name: 'Kentucky Consumer Data Protection Act',
    from: '2026-01-01',
    gpp: USNAT,
  }),
  state('RI', 'Rhode Island', 'New_York', {
    key: 'RIDTPPA',
    name: 'Rhode Island Data Transparency and Privacy Protection Act',
    from: '2026-01-01',
    gpp: USNAT,
  }),
  state('OK', 'Oklahoma', 'Chicago', {
    key: 'OCDPA',
    name: 'Oklahoma Consumer Data Privacy Act',
    from: '2027-01-01',
    gpp: USNAT,
    doubts: [NAME],
  }),
  state('LA', 'Louisiana', 'Chicago', {
    key: 'LDPA',
    name: 'Louisiana Data Privacy Act',
    from: '2027-01-01',
    gpp: USNAT,
    doubts: [NAME],
  }),
  state('AL', 'Alabama', 'Chicago', {
    key: 'APDPA',
    name: 'Alabama Personal Data Protection Act',
    from: '2027-05-01',
    gpp: USNAT,
    doubts: [NAME],
  }),
  state('VT', 'Vermont', 'New_York', {
    key: 'VDPOSA',
    name: 'Vermont Data Privacy and Online Surveillance Act',
    from: '2028-01-01',
    gpp: USNAT,
    doubts: [NAME],
  }),
  {
    code: 'US-NV',
    name: 'Nevada',
    zone: 'America/Los_Angeles',
    rules: [
      optOut({
        regulations: [
          act('NPICICA', 'Nevada Privacy of Information Collected on the Internet from Consumers Act', 'C'),
        ],
        dataRequests: requests(period(60, 'CALENDAR_DAYS', 30), RIGHTS),
        frameworks: ['GOOGLE'],
      }),
    ],
  },
  ...(
    [
      ['AK', 'Alaska', 'Anchorage'],
      ['AZ', 'Arizona', 'Phoenix'],
      ['AR', 'Arkansas', 'Chicago'],
      ['GA', 'Georgia', 'New_York'],
      ['HI', 'Hawaii', 'Pacific/Honolulu'],
      ['ID', 'Idaho', 'Boise'],
      ['IL', 'Illinois', 'Chicago'],
      ['KS', 'Kansas', 'Chicago'],
      ['ME', 'Maine', 'New_York'],
      ['MA', 'Massachusetts', 'New_York'],
      ['MI', 'Michigan', 'Detroit'],
      ['MS', 'Mississippi', 'Chicago'],
      ['MO', 'Missouri', 'Chicago'],
      ['NM', 'New Mexico', 'Denver'],
      ['NY', 'New York', 'New_York'],
      ['NC', 'North Carolina', 'New_York'],
      ['ND', 'North Dakota', 'Chicago'],
      ['OH', 'Ohio', 'New_York'],
      ['PA', 'Pennsylvania', 'New_York'],
      ['SC', 'South Carolina', 'New_York'],
      ['SD', 'South Dakota', 'Chicago'],
      ['WA', 'Washington', 'Los_Angeles'],
      ['WV', 'West Virginia', 'New_York'],
      ['WI', 'Wisconsin', 'Chicago'],
      ['WY', 'Wyoming', 'Denver'],
    ] as const
  ).map(([code, name, zone]) => state(code, name, zone)),
];
