import { act, optIn, period, requests, unconfirmed } from '../acts.js';
import type { PolicyPlace, Rule } from '../rule.js';

const place = (code: string, name: string, zone: string, rule: Rule): PolicyPlace => ({
  code,
  name,
  zone: `Africa/${zone}`,
  rules: [rule],
});

/** The sources name no period. */
const UNKNOWN = requests(period(null, 'CALENDAR_DAYS'), []);

export const AFRICA: readonly PolicyPlace[] = [
  place(
    'ZA',
    'South Africa',
    'Johannesburg',
    // Informed consent in general, opt-in for direct marketing.
    optIn({
      regulations: [act('POPIA', 'Protection of Personal Information Act 2013', 'PC')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'NG',
    'Nigeria',
    'Lagos',
    optIn({
      regulations: [
        act('NDPA', 'Nigeria Data Protection Act 2023', 'P'),
        act('GAID', 'General Application and Implementation Directive 2025', 'P'),
      ],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  place(
    'KE',
    'Kenya',
    'Nairobi',
    optIn({
      regulations: [act('DPA', 'Data Protection Act 2019', 'P')],
      dataRequests: requests(period(7, 'CALENDAR_DAYS'), ['ACCESS', 'RECTIFICATION'], {
        exceptions: [{ types: ['RECTIFICATION'], ...period(14, 'CALENDAR_DAYS') }],
      }),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  place(
    'GH',
    'Ghana',
    'Accra',
    optIn({
      regulations: [act('ACT_843', 'Data Protection Act 2012 (Act 843)', 'P')],
      dataRequests: requests(period(40, 'CALENDAR_DAYS')),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  place(
    'EG',
    'Egypt',
    'Cairo',
    optIn({
      regulations: [act('LAW_151_2020', 'Personal Data Protection Law 151/2020', 'P')],
      dataRequests: requests(period(6, 'BUSINESS_DAYS')),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  place(
    'MA',
    'Morocco',
    'Casablanca',
    optIn({ regulations: [act('LAW_09_08', 'Law 09-08', 'P')], dataRequests: UNKNOWN, doubts: unconfirmed('model') }),
  ),
  place(
    'TN',
    'Tunisia',
    'Tunis',
    optIn({
      regulations: [act('ORGANIC_ACT_2004_63', 'Organic Act 2004-63', 'P')],
      dataRequests: UNKNOWN,
      doubts: unconfirmed('model'),
    }),
  ),
  place(
    'SN',
    'Senegal',
    'Dakar',
    optIn({
      regulations: [act('LAW_2008_12', 'Law 2008-12', 'P')],
      dataRequests: UNKNOWN,
      doubts: unconfirmed('model'),
    }),
  ),
  place(
    'TZ',
    'Tanzania',
    'Dar_es_Salaam',
    optIn({
      regulations: [act('PDPA', 'Personal Data Protection Act 2022', 'P')],
      dataRequests: UNKNOWN,
      doubts: unconfirmed('model'),
    }),
  ),
];
