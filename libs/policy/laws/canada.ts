import { act, doubt, noticeOnly, optIn, optOut, period, requests } from '../acts.js';
import type { PolicyPlace } from '../rule.js';

/** IAB GPP, section tcfcav1. */
const GPP = { frameworks: ['GPP'], gppSections: [5] } as const;

export const CANADA: readonly PolicyPlace[] = [
  {
    code: 'CA',
    name: 'Canada',
    zone: 'America/Toronto',
    rules: [
      // Implied consent will do, but for what is sensitive.
      optOut({
        regulations: [act('PIPEDA', 'Personal Information Protection and Electronic Documents Act', 'PC')],
        gpc: 'IGNORED',
        dataRequests: requests(period(30, 'CALENDAR_DAYS')),
        ...GPP,
      }),
    ],
  },
  {
    code: 'CA-QC',
    name: 'Quebec',
    zone: 'America/Toronto',
    rules: [
      optIn({
        regulations: [act('LAW_25', 'Law 25', 'PC')],
        dataRequests: requests(period(30, 'CALENDAR_DAYS')),
        ...GPP,
      }),
    ],
  },
  {
    code: 'CA-AB',
    name: 'Alberta',
    zone: 'America/Edmonton',
    rules: [
      noticeOnly({
        regulations: [act('PIPA_AB', 'Personal Information Protection Act (Alberta)', 'PC')],
        dataRequests: requests(period(45, 'CALENDAR_DAYS'), ['ACCESS'], {
          exceptions: [{ types: ['ACCESS'], ...period(30, 'CALENDAR_DAYS') }],
        }),
        ...GPP,
        doubts: [doubt('dataRequests', 'Clym says 45, and 30 for access; which requests take 45 days it does not say')],
      }),
    ],
  },
  {
    code: 'CA-BC',
    name: 'British Columbia',
    zone: 'America/Vancouver',
    rules: [
      noticeOnly({
        regulations: [act('PIPA_BC', 'Personal Information Protection Act (British Columbia)', 'PC')],
        dataRequests: requests(period(30, 'CALENDAR_DAYS', 30)),
        ...GPP,
      }),
    ],
  },
];
