import { BY_ANY_KEY, BY_PUBLIC_KEY, type OperationDeclaration } from '../../access/index.js';
import { hashOf } from '../../kernel/index.js';
import { policyView, ruleAt } from '../../policy/index.js';
import { BannerDto, BannerQuery } from '../banner/dto.js';
import { BANNER_FILE as BANNER_DOCUMENT_FILE } from '../banner/file.js';
import { bannerView } from '../banner/view.js';
import { BANNER_FILE } from '../files/file-examples.js';
import { BannerManifestDto } from '../manifest/dto.js';
import { shownContentHash } from '../manifest/manifest.js';
import { PublishedTextDto } from '../notices/dto.js';
import type { PurposeView } from '../view.js';
import { AT, CACHED, HEADERS } from './operation-parts.js';
import { PURPOSE } from './purposes.operations.js';
import { TO_LOOK } from '../../context/roles.js';

/** Made by the code that makes answers, so that the example never differs from one. */
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
export const BANNER_EXAMPLE: BannerDto = { ...BANNER_VIEW, presentationToken: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln' };
const { policy, google, tcf, gpp, ...CONTENT } = BANNER_VIEW;
const CONTENT_HASH = shownContentHash(BANNER_VIEW);
const MANIFEST: BannerManifestDto = {
  object: 'banner_manifest',
  style: 'https://consent.example/elements/v1/banner-1a2b3c4d5e6f.css',
  defaultLocale: BANNER_VIEW.locale,
  availableLocales: BANNER_VIEW.availableLocales,
  rules: [
    {
      country: policy.country,
      region: policy.region,
      policy,
      google,
      tcf: { enabled: tcf.enabled },
      gpp,
      contents: { [BANNER_VIEW.locale]: CONTENT_HASH },
    },
  ],
  contents: { [CONTENT_HASH]: CONTENT },
  tcf,
};
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
/** Of the demo site, so that readers can try the example: its purpose `analytics`, version 1, in English. */
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

const MANIFEST_CACHED = {
  ETag: 'Tag of this answer.',
  'Cache-Control':
    'Five minutes, and not beyond the day on which another rule begins somewhere; a day more while it is asked for anew.',
};

export const BANNER_OPERATIONS: readonly OperationDeclaration[] = [
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
      'The banner that is in force now, for the policy of the place and in the best language it can be had in: texts, buttons, purposes with what holds for each until the visitor chooses, looks and behaviour, and the settings of Google consent mode, IAB TCF and GPP. Wherever the policy is OPT_IN, REJECT_ALL is on the first layer and stands out as much as ACCEPT_ALL. `presentationToken` states what is shown, signed: a page sends it back with the choices that are made on it, so that each record proves what was shown for what was chosen. Where no banner was published: version 0, and nothing to show.',
    query: BannerQuery,
    headers: HEADERS,
    answers: [
      { status: 200, description: 'The banner.', contract: BannerDto, example: BANNER_EXAMPLE, headers: CACHED },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['validation_failed', 'presentation_changed'],
  },
  {
    ...BY_PUBLIC_KEY,
    id: 'getBannerManifest',
    method: 'GET',
    path: '/v1/banner/manifest',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Banner',
    summary: 'What is shown at every place, in every language',
    description:
      'Of this a server makes the banner that stands in the first HTML of a page, without asking for each visitor: what holds at each place, and everything that is shown, by its hash. It holds no person and no token; the page asks GET /v1/banner with `contentHash` for the token of what it shows.',
    headers: HEADERS.filter(({ name }) => name !== 'Accept-Language'),
    answers: [
      {
        status: 200,
        description: 'The manifest.',
        contract: BannerManifestDto,
        example: MANIFEST,
        headers: MANIFEST_CACHED,
      },
      { status: 304, description: 'The answer at hand is current.', headers: MANIFEST_CACHED },
    ],
    refusals: [],
  },
  {
    ...BY_ANY_KEY,
    id: 'getNotice',
    roles: TO_LOOK,
    method: 'GET',
    path: '/v1/notices/{hash}',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Banner',
    summary: 'A text by its hash',
    description:
      'What a record names as the proof of what was shown: the text of a purpose, of the banner or of the preference template, in one version and one language. Served for ever, also after newer versions and after a purpose was retired. A reader of `content` can verify it: SHA-256 over its canonical form (RFC 8785) is the hash.',
    pathParameters: { hash: { description: '`contentHash` of a text.', example: DEMO_TEXT } },
    headers: HEADERS.filter(({ name }) => name !== 'Accept-Language'),
    answers: [
      { status: 200, description: 'The text.', contract: PublishedTextDto, example: NOTICE, headers: CACHED },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['notice_not_found'],
  },
];
