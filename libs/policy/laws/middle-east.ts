import { act, noticeOnly, optIn, period, requests, unconfirmed } from '../acts.js';
import type { PolicyPlace, Rule } from '../rule.js';

const place = (code: string, name: string, zone: string, rule: Rule): PolicyPlace => ({
  code,
  name,
  zone: `Asia/${zone}`,
  rules: [rule],
});

export const MIDDLE_EAST: readonly PolicyPlace[] = [
  place(
    'IL',
    'Israel',
    'Jerusalem',
    noticeOnly({
      regulations: [
        act('PPL', 'Protection of Privacy Law 1981', 'C'),
        act('AMENDMENT_13', 'Amendment 13 to the Protection of Privacy Law', '', 'general knowledge'),
      ],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      doubts: unconfirmed('regulations', 'model', 'dataRequests'),
    }),
  ),
  place(
    'SA',
    'Saudi Arabia',
    'Riyadh',
    optIn({
      regulations: [act('PDPL', 'Personal Data Protection Law M/19, 2021', 'SC')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'AE',
    'United Arab Emirates',
    'Dubai',
    optIn({
      regulations: [act('PDPL', 'Federal Decree-Law 45/2021', 'S')],
      dataRequests: requests(period(null, 'CALENDAR_DAYS'), []),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  place(
    'QA',
    'Qatar',
    'Qatar',
    optIn({
      regulations: [act('LAW_13_2016', 'Law 13/2016', 'S')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  place(
    'BH',
    'Bahrain',
    'Bahrain',
    optIn({
      regulations: [act('LAW_30_2018', 'Law 30/2018', 'P')],
      dataRequests: requests(period(15, 'CALENDAR_DAYS')),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  place(
    'OM',
    'Oman',
    'Muscat',
    optIn({
      regulations: [act('PDPL', 'Royal Decree 6/2022', 'S')],
      dataRequests: requests(period(45, 'CALENDAR_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
];
