import {
  BY_ANY_KEY,
  BY_OPERATOR,
  BY_PUBLIC_KEY,
  MB,
  OPERATOR_IDEMPOTENCY,
  REPLAYED,
  type OperationDeclaration,
} from '../access/index.js';
import { hashOf } from '../kernel/index.js';
import { policyView, ruleAt } from '../policy/index.js';
import {
  ApplyCatalogueDto,
  CatalogueAppliedDto,
  CatalogueFilesDto,
  LocaleQuery,
  PurposeDto,
  PurposeListDto,
  PurposeListQuery,
} from './dto.js';
import { PublishedTextDto } from './notices/dto.js';
import { BannerDto, BannerQuery } from './banner/dto.js';
import { BANNER_FILE as BANNER_DOCUMENT_FILE } from './banner/file.js';
import { bannerView } from './banner/view.js';
import { CookieListDto, CookieListQuery } from './cookies/dto.js';
import type { PurposeView } from './view.js';
import { PreferenceTemplateDto } from './template-dto.js';

const AT = '2026-11-21T12:00:00.000Z';
const HEADERS = [
  {
    name: 'Accept-Language',
    description: 'Wanted languages, where the query names none.',
    required: false,
    example: 'de-AT, de;q=0.9',
  },
  { name: 'If-None-Match', description: 'ETag of the answer at hand.', required: false, example: 'W/"3.4-abc"' },
  {
    name: 'X-Log-Position',
    description: 'As applying the catalogue answered it: the answer reflects at least that.',
    required: false,
    example: '42',
  },
];
const KEY = { key: { description: 'Key of the purpose.', example: 'analytics' } };
const PURPOSE = {
  key: 'analytics',
  object: 'purpose',
  version: 1,
  status: 'PUBLISHED',
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'ANALYTICS',
  name: 'Statistics',
  description: 'Counts visits so that we can improve the shop.',
  legalText: 'We process usage data on the basis of your consent.',
  dataCategories: [{ key: 'usage', sensitive: false }],
  recipients: [{ name: 'Example Analytics Ltd', role: 'PROCESSOR', country: 'IE' }],
  retention: 'P14M',
  controller: { name: 'Shop Example GmbH', contact: 'privacy@shop.example' },
  validityDays: 365,
  change: { from: null, kind: 'MATERIAL', summary: 'First version.' },
  frameworks: { tcf: { purposes: [7, 8], specialFeatures: [] }, google: ['analytics_storage'], us: [] },
  gpc: false,
  cookies: ['_stat'],
  locale: 'en',
  availableLocales: ['de', 'en'],
  contentHash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  effectiveFrom: AT,
  publishedAt: AT,
};
const TOPIC = {
  key: 'email_news',
  kind: 'TOGGLE',
  label: 'News',
  help: null,
  channel: 'email',
  topic: 'news',
  purposeKey: null,
  options: [{ value: 'WEEKLY', label: 'Once a week' }],
  default: false,
  required: false,
  doubleOptIn: 'REQUIRED',
  validation: {},
};
const AGE = {
  ...TOPIC,
  key: 'age',
  kind: 'NUMBER',
  label: 'Age',
  channel: null,
  topic: null,
  options: [],
  default: null,
  doubleOptIn: 'NONE',
  validation: { min: 16, max: 120, whole: true },
};
const TEMPLATE = {
  object: 'preference_template',
  version: 1,
  locale: 'en',
  availableLocales: ['de', 'en'],
  channels: [{ key: 'email', label: 'E-mail', verification: 'EMAIL' }],
  sections: [
    { key: 'mail', title: 'What we may send you', fields: [TOPIC] },
    { key: 'you', title: 'About you', fields: [AGE] },
  ],
  contentHash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  change: { from: null, summary: 'First version.' },
  effectiveFrom: AT,
  publishedAt: AT,
};
const COOKIES = {
  object: 'cookie_list',
  version: 1,
  locale: 'en',
  availableLocales: ['de', 'en'],
  contentHash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  data: [
    {
      name: '_stat',
      match: 'EXACT',
      technology: 'COOKIE',
      domain: null,
      party: 'FIRST',
      category: 'ANALYTICS',
      purposeKeys: ['analytics'],
      vendor: {
        key: 'demo_statistics',
        name: 'Demo Statistics Ltd',
        country: 'IE',
        privacyPolicy: 'https://statistics.example/privacy',
        frameworks: { tcf: 755, google: null },
      },
      duration: 'PERSISTENT',
      maxAgeSeconds: 34_128_000,
      description: 'Tells visits apart.',
    },
  ],
  nextCursor: null,
  hasMore: false,
};
const COOKIES_FILE = {
  defaultLocale: 'en',
  cookies: [
    {
      name: '_stat',
      category: 'ANALYTICS',
      purposeKeys: ['analytics'],
      maxAgeSeconds: 34_128_000,
      description: { en: 'Tells visits apart.' },
    },
  ],
};
const BANNER_FILE = {
  defaultLocale: 'en',
  presentations: {
    optIn: { title: { en: 'Your privacy' }, body: { en: 'May we count visits and show advertising?' } },
  },
  labels: {
    acceptAll: { en: 'Accept all' },
    rejectAll: { en: 'Reject all' },
    customize: { en: 'Choose' },
    save: { en: 'Save my choices' },
  },
};
/** Made as answers are made, so that the example never differs from one. */
const BANNER_VIEW = bannerView(
  {
    definition: BANNER_DOCUMENT_FILE.definitionOf(BANNER_FILE),
    version: 1,
    change: { from: null, summary: 'First version.' },
    definitionHash: PURPOSE.contentHash,
    effectiveFrom: AT,
    publishedAt: AT,
  },
  policyView(ruleAt({ country: 'DE', region: null }, AT), 'DE'),
  [PURPOSE as PurposeView],
  'en',
);
const BANNER: BannerDto = { ...BANNER_VIEW, presentationToken: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln' };
const NOTICE_CONTENT = {
  key: PURPOSE.key,
  legalBasis: PURPOSE.legalBasis,
  consentModel: PURPOSE.consentModel,
  category: PURPOSE.category,
  dataCategories: PURPOSE.dataCategories,
  recipients: PURPOSE.recipients,
  retention: PURPOSE.retention,
  controller: PURPOSE.controller,
  validityDays: PURPOSE.validityDays,
  frameworks: PURPOSE.frameworks,
  gpc: PURPOSE.gpc,
  cookies: PURPOSE.cookies,
  version: PURPOSE.version,
  locale: PURPOSE.locale,
  text: { name: PURPOSE.name, description: PURPOSE.description, legalText: PURPOSE.legalText },
};
/** Of the demo site, so that the example can be tried: its purpose `analytics`, version 1, in English. */
const DEMO_TEXT = 'sha256:258cbb367277778c0dd8300f6afce42df89c5ed3ba8a8125464d48d0ffcdbd69';
const NOTICE = {
  object: 'notice',
  kind: 'PURPOSE',
  key: PURPOSE.key,
  version: PURPOSE.version,
  locale: PURPOSE.locale,
  contentHash: hashOf(NOTICE_CONTENT),
  content: NOTICE_CONTENT,
  effectiveFrom: AT,
  publishedAt: AT,
};
const POLICIES_FILE = {
  policies: [
    {
      country: 'DE',
      changes: { consentValidityDays: 180 },
      who: 'Data protection officer',
      why: 'The supervisory authority advises half a year.',
    },
  ],
};
const VENDORS_FILE = { vendors: [{ key: 'demo_statistics', name: 'Demo Statistics Ltd', frameworks: { tcf: 755 } }] };
const TEMPLATE_FILE = {
  defaultLocale: 'en',
  channels: [{ key: 'email', label: { en: 'E-mail' }, verification: 'EMAIL' }],
  sections: [
    {
      key: 'mail',
      title: { en: 'What we may send you' },
      fields: [
        {
          key: 'email_news',
          kind: 'TOGGLE',
          label: { en: 'News' },
          channel: 'email',
          topic: 'news',
          doubleOptIn: 'REQUIRED',
        },
      ],
    },
  ],
};
const PURPOSE_FILE = {
  key: 'analytics',
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'ANALYTICS',
  controller: { name: 'Shop Example GmbH', contact: 'privacy@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: 'Statistics', description: 'Counts visits.' } },
};
const SITE_AND_ENV = {
  site: { description: 'Site.', example: 'demo' },
  env: { description: '`test` or `live`.', example: 'test' },
};
const LIST = { data: [PURPOSE], nextCursor: null, hasMore: false };
const CACHED = { ETag: 'Tag of this answer.', 'Content-Language': 'The languages served.' };
const ONE = [
  { status: 200, description: 'The purpose.', contract: PurposeDto, example: PURPOSE, headers: CACHED },
  { status: 304, description: 'The answer at hand is current.', headers: CACHED },
];
const MANY = [
  {
    status: 200,
    description: 'A page of purposes.',
    contract: PurposeListDto,
    example: LIST,
    headers: { ...CACHED, Link: 'Address of the next page, `rel="next"`.' },
  },
  { status: 304, description: 'The answer at hand is current.', headers: CACHED },
];

export const CATALOGUE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'listPurposes',
    method: 'GET',
    path: '/v1/purposes',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Purposes',
    summary: 'All purposes in force',
    description: 'Ordered by key, in the best language that each can be had in.',
    query: PurposeListQuery,
    headers: HEADERS,
    answers: MANY,
    refusals: ['validation_failed'],
  },
  {
    ...BY_ANY_KEY,
    id: 'getPurpose',
    method: 'GET',
    path: '/v1/purposes/{key}/current',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Purposes',
    summary: 'Current version of a purpose',
    description: 'The version in force now, in the best language it can be had in.',
    pathParameters: KEY,
    query: LocaleQuery,
    headers: HEADERS,
    answers: ONE,
    refusals: ['purpose_not_found', 'validation_failed'],
  },
  {
    ...BY_ANY_KEY,
    id: 'listPurposeVersions',
    method: 'GET',
    path: '/v1/purposes/{key}/versions',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Purposes',
    summary: 'All versions of a purpose',
    description: 'Oldest first, those to come included.',
    pathParameters: KEY,
    query: PurposeListQuery,
    headers: HEADERS,
    answers: MANY,
    refusals: ['purpose_not_found', 'validation_failed'],
  },
  {
    ...BY_ANY_KEY,
    id: 'getPurposeVersion',
    method: 'GET',
    path: '/v1/purposes/{key}/versions/{n}',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Purposes',
    summary: 'One version of a purpose',
    description: 'What a record that names this version was about.',
    pathParameters: { ...KEY, n: { description: 'Version.', example: '1' } },
    query: LocaleQuery,
    headers: HEADERS,
    answers: ONE,
    refusals: ['purpose_not_found', 'validation_failed'],
  },
  {
    ...BY_ANY_KEY,
    id: 'getPreferenceTemplate',
    method: 'GET',
    path: '/v1/preference-template',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Preferences',
    summary: 'The preference template',
    description:
      'The version in force now, in the best language it can be had in: the channels, and what can be preferred, by section. Preferences are checked against it. Where none was published: version 0, with neither.',
    query: LocaleQuery,
    headers: HEADERS,
    answers: [
      {
        status: 200,
        description: 'The template.',
        contract: PreferenceTemplateDto,
        example: TEMPLATE,
        headers: CACHED,
      },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...BY_PUBLIC_KEY,
    id: 'getBanner',
    method: 'GET',
    path: '/v1/banner',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Banner',
    summary: 'What a page shows to ask people',
    description:
      'The banner that is in force now, for the policy of the place and in the best language it can be had in: texts, buttons, purposes with what holds for each as long as nobody has chosen, looks and behaviour, and the settings of Google consent mode, IAB TCF and GPP. Wherever the policy is OPT_IN, REJECT_ALL is on the first layer and stands out as much as ACCEPT_ALL. `presentationToken` states what is shown, signed: a page sends it back with the choices that are made on it, so that each record proves what was shown for what was chosen. Where no banner was published: version 0, and nothing to show.',
    query: BannerQuery,
    headers: HEADERS,
    answers: [
      { status: 200, description: 'The banner.', contract: BannerDto, example: BANNER, headers: CACHED },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...BY_ANY_KEY,
    id: 'getNotice',
    method: 'GET',
    path: '/v1/notices/{hash}',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Banner',
    summary: 'A text by its hash',
    description:
      'What a record names as the proof of what was shown: the text of a purpose, of the banner or of the preference template, in one version and one language. Served for ever, also after newer versions and after a purpose was retired. Whoever keeps `content` can verify it: SHA-256 over its canonical form (RFC 8785) is the hash.',
    pathParameters: { hash: { description: '`contentHash` of a text.', example: DEMO_TEXT } },
    headers: HEADERS.filter(({ name }) => name !== 'Accept-Language'),
    answers: [
      { status: 200, description: 'The text.', contract: PublishedTextDto, example: NOTICE, headers: CACHED },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['notice_not_found'],
  },
  {
    ...BY_ANY_KEY,
    id: 'listCookies',
    method: 'GET',
    path: '/v1/cookies',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Cookies',
    summary: 'What is kept on devices',
    description:
      'The list of cookies that is in force now, in the best language it can be had in: names, where they are kept and how long, whose they are, which purposes they serve. A page can delete by it what a withdrawal ends. Where none was published: version 0, without any.',
    query: CookieListQuery,
    headers: HEADERS,
    answers: [
      {
        status: 200,
        description: 'A page of the list.',
        contract: CookieListDto,
        example: COOKIES,
        headers: { ...CACHED, Link: 'Address of the next page, `rel="next"`.' },
      },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['purpose_not_found', 'validation_failed'],
  },
  {
    ...BY_OPERATOR,
    id: 'exportCatalogue',
    method: 'GET',
    path: '/admin/v1/sites/{site}/{env}/catalogue',
    tag: 'Operator',
    summary: 'The catalogue as files',
    description:
      'What stands in the catalogue, in the form in which files are applied: applying exactly this publishes nothing. Of each purpose and document the newest version, also where it is in force only later; such a file says from when. Told from the log itself, so that it misses nothing that was published.',
    pathParameters: SITE_AND_ENV,
    answers: [
      {
        status: 200,
        description: 'The files.',
        contract: CatalogueFilesDto,
        example: { purposes: [PURPOSE_FILE], template: TEMPLATE_FILE },
      },
    ],
    refusals: ['route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'applyCatalogue',
    method: 'POST',
    path: '/admin/v1/sites/{site}/{env}/catalogue',
    bodyLimit: 2 * MB,
    tag: 'Operator',
    summary: 'Publish catalogue files',
    description:
      'Compares the files with the catalogue and publishes what differs as new versions, all of it or none; where nothing differs nothing is published. What has no file is left alone.',
    pathParameters: SITE_AND_ENV,
    headers: [OPERATOR_IDEMPOTENCY],
    body: {
      contract: ApplyCatalogueDto,
      examples: {
        onePurpose: { purposes: [PURPOSE_FILE], dryRun: true },
        template: { purposes: [], template: TEMPLATE_FILE },
        vendors: { purposes: [], vendors: VENDORS_FILE, dryRun: true },
        cookies: { purposes: [PURPOSE_FILE], cookies: COOKIES_FILE, dryRun: true },
        banner: { purposes: [], banner: BANNER_FILE, dryRun: true },
        policies: { purposes: [], policies: POLICIES_FILE, dryRun: true },
      },
    },
    answers: [
      {
        status: 200,
        description: 'What was done, or would be.',
        contract: CatalogueAppliedDto,
        example: {
          published: true,
          changes: [{ object: 'purpose', key: 'analytics', action: 'PUBLISH', version: 1, changed: [] }],
        },
        headers: { 'X-Log-Position': 'Position of the last event; absent where nothing was published.', ...REPLAYED },
      },
    ],
    refusals: ['validation_failed', 'banner_not_compliant', 'state_conflict', 'route_not_found'],
  },
];
