import { act, doubt, optIn, optOut, period, requests, unconfirmed } from '../acts.js';
import type { PolicyPlace, Rule } from '../rule.js';

const place = (code: string, name: string, zone: string, rule: Rule): PolicyPlace => ({
  code,
  name,
  zone: `America/${zone}`,
  rules: [rule],
});

export const LATIN_AMERICA: readonly PolicyPlace[] = [
  place(
    'BR',
    'Brazil',
    'Sao_Paulo',
    optIn({
      regulations: [act('LGPD', 'General Data Protection Law 13.709/2018', 'PCA')],
      dataRequests: requests(period(15, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'AR',
    'Argentina',
    'Argentina/Buenos_Aires',
    optIn({
      regulations: [act('LAW_25_326', 'Personal Data Protection Law 25.326', 'P', 'art. 14, 16')],
      dataRequests: requests(period(10, 'CALENDAR_DAYS'), ['ACCESS', 'RECTIFICATION'], {
        exceptions: [{ types: ['RECTIFICATION'], ...period(5, 'CALENDAR_DAYS') }],
      }),
      doubts: [
        doubt(
          'dataRequests',
          'Clym names the two periods the other way round; the statute, art. 14 and 16, was not read, nor whether it counts business days',
        ),
      ],
    }),
  ),
  place(
    'CL',
    'Chile',
    'Santiago',
    optIn({
      from: '2026-12-01',
      regulations: [act('LAW_21_719', 'Law 21.719', 'S')],
      dataRequests: requests(period(30, 'CALENDAR_DAYS')),
    }),
  ),
  place(
    'CO',
    'Colombia',
    'Bogota',
    optIn({
      regulations: [act('LAW_1581', 'Law 1581/2012', 'P')],
      dataRequests: requests(period(10, 'BUSINESS_DAYS'), ['ACCESS', 'RECTIFICATION', 'ERASURE'], {
        exceptions: [{ types: ['RECTIFICATION', 'ERASURE'], ...period(15, 'BUSINESS_DAYS') }],
      }),
      doubts: [
        doubt(
          'dataRequests',
          'from general knowledge: 10 and 15 business days; the sources do not say which requests take which, taken as access and claims',
        ),
      ],
    }),
  ),
  place(
    'PE',
    'Peru',
    'Lima',
    optIn({
      regulations: [act('LAW_29733', 'Law 29733', 'P')],
      dataRequests: requests(period(20, 'BUSINESS_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  place(
    'UY',
    'Uruguay',
    'Montevideo',
    optIn({
      regulations: [act('LAW_18_331', 'Law 18.331', 'PC')],
      dataRequests: requests(period(5, 'BUSINESS_DAYS')),
      doubts: unconfirmed('model'),
    }),
  ),
  place(
    'EC',
    'Ecuador',
    'Guayaquil',
    optIn({
      regulations: [act('LOPDP', 'Organic Law on Personal Data Protection, 2021', 'S')],
      dataRequests: requests(period(15, 'CALENDAR_DAYS')),
      doubts: unconfirmed('dataRequests'),
    }),
  ),
  place(
    'CR',
    'Costa Rica',
    'Costa_Rica',
    optIn({
      regulations: [act('LAW_8968', 'Law 8968', 'P')],
      dataRequests: requests(period(5, 'BUSINESS_DAYS')),
      doubts: unconfirmed('model', 'dataRequests'),
    }),
  ),
  place(
    'MX',
    'Mexico',
    'Mexico_City',
    // The law asks for notice and a way to object; the stricter of the two is taken.
    optOut({
      from: '2025-03-21',
      regulations: [act('LFPDPPP', 'Federal Law on Protection of Personal Data Held by Private Parties, 2025', 'PS')],
      gpc: 'IGNORED',
      dataRequests: requests(period(20, 'BUSINESS_DAYS')),
      doubts: [
        doubt('effectiveFrom', 'the sources say March 2025; the day is from general knowledge'),
        doubt('dataRequests', 'from general knowledge; Clym names 15 days'),
      ],
    }),
  ),
];
