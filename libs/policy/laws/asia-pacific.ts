import { act, doubt, noticeOnly, optIn, optOut, period, requests, unconfirmed } from '../acts.js';
import type { PolicyPlace, Rule } from '../rule.js';

const place = (code: string, name: string, zone: string, rule: Rule): PolicyPlace => ({
  code,
  name,
  zone,
  rules: [rule],
});

export const ASIA_PACIFIC: readonly PolicyPlace[] = [
  place(
    'AU',
    'Australia',
    'Australia/Sydney',
    noticeOnly({
      regulations: [act('PRIVACY_ACT', 'Privacy Act 1988', 'PC')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'NZ',
    'New Zealand',
    'Pacific/Auckland',
    noticeOnly({
      regulations: [act('PRIVACY_ACT', 'Privacy Act 2020', 'P')],
      dataRequests: requests(period(20, 'BUSINESS_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  place(
    'JP',
    'Japan',
    'Asia/Tokyo',
    noticeOnly({
      regulations: [
        act('APPI', 'Act on the Protection of Personal Information', 'PAC'),
        act('TBA', 'Telecommunications Business Act, external transmission', '', 'general knowledge'),
      ],
      // Linking what third parties hold takes consent.
      defaults: { SALE_SHARE: 'DENIED' },
      dataRequests: requests(period(null, 'CALENDAR_DAYS')),
      doubts: [
        ...unconfirmed('regulations'),
        doubt('categories', 'consent for linking with third parties is taken as SALE_SHARE'),
        doubt('dataRequests', 'the law fixes no period; about 30 days are usual'),
      ],
    }),
  ),
  place(
    'KR',
    'South Korea',
    'Asia/Seoul',
    optIn({
      regulations: [act('PIPA', 'Personal Information Protection Act', 'PCA')],
      dataRequests: requests(period(10, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'CN',
    'China',
    'Asia/Shanghai',
    optIn({
      regulations: [act('PIPL', 'Personal Information Protection Law, 2021', 'SC')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'HK',
    'Hong Kong',
    'Asia/Hong_Kong',
    // Notice and a way to object; marketing is asked for.
    optOut({
      regulations: [act('PDPO', 'Personal Data (Privacy) Ordinance', 'P')],
      defaults: { MARKETING: 'DENIED', COMMUNICATION: 'DENIED' },
      gpc: 'IGNORED',
      dataRequests: requests(period(40, 'CALENDAR_DAYS')),
      doubts: unconfirmed('model', 'categories', 'dataRequests'),
    }),
  ),
  place(
    'TW',
    'Taiwan',
    'Asia/Taipei',
    noticeOnly({
      regulations: [act('PDPA', 'Personal Data Protection Act', 'S')],
      dataRequests: requests(period(15, 'CALENDAR_DAYS', 15)),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  place(
    'SG',
    'Singapore',
    'Asia/Singapore',
    noticeOnly({
      regulations: [act('PDPA', 'Personal Data Protection Act 2012', 'PDA')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'MY',
    'Malaysia',
    'Asia/Kuala_Lumpur',
    optIn({
      regulations: [act('PDPA', 'Personal Data Protection Act 2010', 'P')],
      dataRequests: requests(period(21, 'CALENDAR_DAYS')),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  place(
    'TH',
    'Thailand',
    'Asia/Bangkok',
    optIn({
      regulations: [act('PDPA', 'Personal Data Protection Act B.E. 2562', 'PC')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'ID',
    'Indonesia',
    'Asia/Jakarta',
    optIn({
      regulations: [act('UU_PDP', 'Law 27/2022', 'PC')],
      dataRequests: requests(period(3, 'PERIODS_OF_24_HOURS')),
    }),
  ),
  place(
    'PH',
    'Philippines',
    'Asia/Manila',
    optIn({
      regulations: [act('DPA', 'Data Privacy Act 2012', 'S')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  place(
    'VN',
    'Viet Nam',
    'Asia/Ho_Chi_Minh',
    optIn({
      from: '2026-01-01',
      regulations: [act('PDPL', 'Law 91/2025/QH15', 'S'), act('DECREE_356', 'Decree 356/2025', 'S')],
      // Where third parties hold the data it is 20 days.
      dataRequests: requests(period(15, 'CALENDAR_DAYS', 15), ['ACCESS'], {
        acknowledgement: { dueDays: 2, unit: 'BUSINESS_DAYS' },
      }),
      doubts: [
        doubt('dataRequests', 'requests that third parties have to answer too take 20 days, which is not modelled'),
      ],
    }),
  ),
  place(
    'IN',
    'India',
    'Asia/Kolkata',
    optIn({
      from: '2027-05-14',
      regulations: [act('DPDP', 'Digital Personal Data Protection Act 2023, Rules of November 2025', 'PS')],
      dataRequests: requests(period(90, 'CALENDAR_DAYS')),
      doubts: [
        doubt(
          'effectiveFrom',
          'the Rules were notified on 13 or 14 November 2025 and bind 18 months later; the day is not confirmed',
        ),
        ...unconfirmed('dataRequests'),
      ],
    }),
  ),
];
