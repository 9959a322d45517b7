import { TO_DECIDE } from '../../context/roles.js';
import { BY_ANYBODY, BY_LINK, BY_SECRET_KEY, KB, type OperationDeclaration } from '../../access/index.js';
import type { DocumentedOperation } from '../../http/contract/operation.js';
import { REQUEST_ID } from '../request.dto.js';
import { ARCHIVE_PATH } from './archive-links.js';
import { ArchiveLinkDto, ArchiveLinkQuery, FetchArchiveDto, LINK_HOURS, LinkArchiveDto } from './dto.js';

const TAG = 'Data requests';
const TOKEN = 'dat_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vIHRvaw';
const NO_STORE = { 'Cache-Control': 'Always `no-store`.' };
const REFUSALS = ['token_invalid', 'token_used', 'token_expired', 'subject_erased'] as const;

const LINK: OperationDeclaration & DocumentedOperation = {
  ...BY_SECRET_KEY,
  id: 'linkArchive',
  method: 'POST',
  path: '/v1/data-requests/{id}/archive-link',
  roles: TO_DECIDE,
  scope: 'requests:write',
  subject: null,
  bodyLimit: 4 * KB,
  tag: TAG,
  summary: 'Make a link to an archive',
  description: `A completed ACCESS or PORTABILITY request has an archive of all that is held on the subject. The holder of the link can fetch it, once, within ${LINK_HOURS} hours or as long as is asked for. Of the token only a hash is kept. A new link takes the place of one that was not used, so that repeating the call leaves one link that works. The archive is kept for 30 days.`,
  pathParameters: { id: { description: 'Id of the request.', example: REQUEST_ID.example } },
  body: { contract: LinkArchiveDto, examples: { usual: {}, aDay: { expiresInHours: 24 } } },
  answers: [
    {
      status: 201,
      description: 'The link.',
      contract: ArchiveLinkDto,
      example: {
        url: `https://consent.example${ARCHIVE_PATH}?token=${TOKEN}`,
        expiresAt: '2026-11-24T12:00:00.000Z',
        sha256: 'ab'.repeat(32),
        bytes: 20480,
      },
      headers: NO_STORE,
    },
  ],
  refusals: ['data_request_not_found', 'state_conflict', 'subject_erased', 'validation_failed'],
};

export const ARCHIVE_OPERATIONS: readonly OperationDeclaration[] = [
  LINK,
  {
    ...BY_ANYBODY,
    id: 'archivePage',
    path: ARCHIVE_PATH,
    tag: TAG,
    summary: 'The page behind the link to an archive',
    page: true,
    description: `In the language of the request, with one button that posts the form to \`POST ${ARCHIVE_PATH}\`. Programs that scan mails open links, so that opening it changes nothing, however often. Works without scripts, loads nothing from elsewhere, and is kept by no cache. Errors are pages too.`,
    query: ArchiveLinkQuery,
    headers: [
      { name: 'Accept-Language', description: 'Languages for errors.', required: false, example: 'de-AT, de;q=0.9' },
    ],
    answers: [
      {
        status: 200,
        description: 'The page with its button.',
        mediaType: 'text/html',
        headers: { 'Content-Language': 'The language of the page.' },
      },
    ],
    refusals: REFUSALS,
  },
  {
    ...BY_LINK,
    id: 'fetchArchive',
    path: ARCHIVE_PATH,
    bodyLimit: 4 * KB,
    alsoAnswers: ['application/zip'],
    tag: TAG,
    summary: 'Fetch an archive',
    description:
      'The token is the permission, and is used up by the first byte. A zip with `your-data.json`, its JSON Schema `schema.json`, and `your-data.html` for people. Its SHA-256 is that in the `effect` of the request and in the log. To a posted form errors are pages.',
    body: { contract: FetchArchiveDto, examples: { token: { token: TOKEN } } },
    answers: [
      {
        status: 200,
        description: 'The archive.',
        mediaType: 'application/zip',
        headers: { ...NO_STORE, 'Content-Disposition': 'A name for the file.' },
      },
    ],
    refusals: REFUSALS,
  },
];
