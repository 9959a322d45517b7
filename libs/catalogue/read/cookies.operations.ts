import { BY_ANY_KEY, type OperationDeclaration } from '../../access/index.js';
import { CookieListDto, CookieListQuery } from '../cookies/dto.js';
import { CACHED, HEADERS } from './operation-parts.js';
import { TO_LOOK } from '../../context/roles.js';

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
      path: '/',
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

export const COOKIE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'listCookies',
    roles: TO_LOOK,
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
];
