import { act, doubt, optIn, optOut, period, requests, unconfirmed } from '../acts.js';
import type { PolicyPlace, Rule } from '../rule.js';

const GDPR = act('GDPR', 'General Data Protection Regulation (EU) 2016/679', 'PD', 'art. 6, 7, 12 to 22, 99(2)');
const EPRIVACY = act('EPRIVACY', 'Directive 2002/58/EC and its national law', 'PD', 'art. 5(3), 13');

/** Art. 12(3): a month, and two more where it is complex. Rights: art. 15 to 21 and 7(3). */
const GDPR_REQUESTS = requests(period(1, 'MONTHS', 2), [
  'ACCESS',
  'RECTIFICATION',
  'ERASURE',
  'RESTRICTION',
  'PORTABILITY',
  'OBJECTION',
  'WITHDRAW_ALL',
]);
const AGE = doubt('ageOfDigitalConsent', 'national law under art. 8(1), from general knowledge');
const SIX_MONTHS = [
  doubt('consentValidityDays', 'a recommendation of the authority, from a secondary source'),
  doubt('refusalCooldownDays', 'a recommendation of the authority, from a secondary source'),
];

function gdpr(age: number, more: Partial<Rule> = {}): Rule {
  return optIn({
    from: '2018-05-25',
    regulations: [GDPR, EPRIVACY],
    dataRequests: GDPR_REQUESTS,
    ageOfDigitalConsent: age,
    frameworks: ['TCF', 'GPP', 'GOOGLE'],
    gppSections: [2],
    ...more,
    doubts: [AGE, ...(more.doubts ?? [])],
  });
}

const sixMonths: Partial<Rule> = { consentValidityDays: 180, refusalCooldownDays: 180, doubts: SIX_MONTHS };

/** Since the EEA took over the regulation (Joint Committee Decision 154/2018). */
const eea = (age: number): Rule =>
  gdpr(age, {
    from: '2018-07-20',
    regulations: [{ ...GDPR, source: `by the EEA Agreement; ${GDPR.source}` }, EPRIVACY],
    doubts: unconfirmed('effectiveFrom'),
  });

const member = (code: string, name: string, zone: string, rule: Rule): PolicyPlace => ({
  code,
  name,
  zone: `Europe/${zone}`,
  rules: [rule],
});

const UK_GDPR = act('UK_GDPR', 'UK General Data Protection Regulation', 'PA');
const DPA_2018 = act('DPA_2018', 'Data Protection Act 2018', 'PA');
const PECR = act('PECR', 'Privacy and Electronic Communications Regulations', 'PA');
const DUAA = act('DUAA_2025', 'Data (Use and Access) Act 2025', 'PA');
const unitedKingdom = (more: Partial<Rule>): Rule => gdpr(13, { from: null, ...more });

const europe = (code: string, name: string, zone: string, ...rules: Rule[]): PolicyPlace => ({
  code,
  name,
  zone: `Europe/${zone}`,
  rules,
});

export const EUROPE: readonly PolicyPlace[] = [
  member('AT', 'Austria', 'Vienna', gdpr(14)),
  member('BE', 'Belgium', 'Brussels', gdpr(13)),
  member('BG', 'Bulgaria', 'Sofia', gdpr(14)),
  member('HR', 'Croatia', 'Zagreb', gdpr(16)),
  { code: 'CY', name: 'Cyprus', zone: 'Asia/Nicosia', rules: [gdpr(14)] },
  member(
    'CZ',
    'Czechia',
    'Prague',
    gdpr(15, { refusalCooldownDays: 180, doubts: [doubt('refusalCooldownDays', 'from a secondary source')] }),
  ),
  member('DK', 'Denmark', 'Copenhagen', gdpr(15)),
  member('EE', 'Estonia', 'Tallinn', gdpr(13)),
  member('FI', 'Finland', 'Helsinki', gdpr(13)),
  member('FR', 'France', 'Paris', gdpr(15, sixMonths)),
  member('DE', 'Germany', 'Berlin', gdpr(16)),
  member('GR', 'Greece', 'Athens', gdpr(15)),
  member('HU', 'Hungary', 'Budapest', gdpr(16)),
  member('IE', 'Ireland', 'Dublin', gdpr(16, sixMonths)),
  member('IT', 'Italy', 'Rome', gdpr(14, sixMonths)),
  member('LV', 'Latvia', 'Riga', gdpr(13)),
  member('LT', 'Lithuania', 'Vilnius', gdpr(14)),
  member('LU', 'Luxembourg', 'Luxembourg', gdpr(16)),
  member('MT', 'Malta', 'Malta', gdpr(13)),
  member('NL', 'Netherlands', 'Amsterdam', gdpr(16)),
  member('PL', 'Poland', 'Warsaw', gdpr(16)),
  member('PT', 'Portugal', 'Lisbon', gdpr(13)),
  member('RO', 'Romania', 'Bucharest', gdpr(16)),
  member('SK', 'Slovakia', 'Bratislava', gdpr(16)),
  member('SI', 'Slovenia', 'Ljubljana', gdpr(15)),
  member('ES', 'Spain', 'Madrid', gdpr(14)),
  member('SE', 'Sweden', 'Stockholm', gdpr(13)),
  { code: 'IS', name: 'Iceland', zone: 'Atlantic/Reykjavik', rules: [eea(13)] },
  member('LI', 'Liechtenstein', 'Vaduz', eea(16)),
  member('NO', 'Norway', 'Oslo', eea(13)),
  europe(
    'GB',
    'United Kingdom',
    'London',
    unitedKingdom({ regulations: [UK_GDPR, DPA_2018, PECR] }),
    unitedKingdom({
      from: '2026-02-05',
      regulations: [UK_GDPR, DPA_2018, PECR, DUAA],
      // Statistics are exempt from asking.
      defaults: { ANALYTICS: 'GRANTED' },
      dataRequests: { ...GDPR_REQUESTS, clockStops: true },
    }),
  ),
  europe(
    'CH',
    'Switzerland',
    'Zurich',
    optOut({
      regulations: [
        act('REVFADP', 'Federal Act on Data Protection, revised', 'A'),
        act('FMG', 'Telecommunications Act', 'A', 'art. 45c'),
      ],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      gpc: 'IGNORED',
      frameworks: ['GOOGLE'],
      doubts: [
        doubt('model', 'the law asks for notice and a way to object; Google asks for opt-in for its ads, unconfirmed'),
      ],
    }),
  ),
  europe(
    'RS',
    'Serbia',
    'Belgrade',
    optIn({
      regulations: [act('ZZPL', 'Law on Personal Data Protection 87/2018', 'P')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS', 60)),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  europe(
    'MK',
    'North Macedonia',
    'Skopje',
    optIn({
      regulations: [act('LPDP', 'Law on Personal Data Protection, 2020', 'P')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  europe(
    'AL',
    'Albania',
    'Tirane',
    optIn({
      regulations: [act('LAW_124_2024', 'Law 124/2024', '', 'DLA, overview')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  europe(
    'UA',
    'Ukraine',
    'Kyiv',
    optIn({
      regulations: [act('LAW_2297_VI', 'Law 2297-VI on Protection of Personal Data', 'S')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  europe(
    'TR',
    'Türkiye',
    'Istanbul',
    optIn({
      regulations: [act('KVKK', 'Law 6698 on the Protection of Personal Data', 'PC')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  europe(
    'RU',
    'Russia',
    'Moscow',
    optIn({
      regulations: [act('LAW_152_FZ', 'Federal Law 152-FZ on Personal Data', '', 'general knowledge')],
      dataRequests: requests(period(10, 'BUSINESS_DAYS')),
      doubts: unconfirmed('regulation', 'model', 'dataRequests'),
    }),
  ),
];
