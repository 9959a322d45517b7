import { BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';
import { LinkQuery } from './dto.js';

const LINK =
  'Programs that scan mails open links, so that opening changes nothing, however often and by whatever method. Works without scripts, loads nothing from elsewhere, and is kept by no cache. Errors are pages too.';
const LANGUAGE = [
  {
    name: 'Accept-Language',
    description: 'Languages for pages about links that are not valid; every other page is in the language of its mail.',
    required: false,
    example: 'de-AT, de;q=0.9',
  },
];
const HTML = { mediaType: 'text/html', headers: { 'Content-Language': 'The language of the page.' } };

export const PREFERENCE_PAGE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANYBODY,
    id: 'confirmPage',
    path: '/v1/preferences/confirm',
    tag: 'Preferences',
    summary: 'The page behind confirmUrl',
    page: true,
    description: `For the recipient of a mail: says who asks and what for, in the recipient's language, with one button that posts the form to \`POST /v1/preferences/confirm\`. ${LINK}`,
    query: LinkQuery,
    headers: LANGUAGE,
    answers: [
      { status: 200, description: 'The page with its button, or the news that it was pressed before.', ...HTML },
    ],
    refusals: ['token_invalid', 'token_expired'],
  },
  {
    ...BY_ANYBODY,
    id: 'unsubscribePage',
    path: '/v1/preferences/unsubscribe',
    tag: 'Preferences',
    summary: 'The page behind unsubscribeUrl',
    page: true,
    description: `For readers whose mail program has no button of its own: names the messages, with one button that posts the form to \`POST /v1/preferences/unsubscribe\`. ${LINK}`,
    query: LinkQuery,
    headers: LANGUAGE,
    answers: [
      { status: 200, description: 'The page with its button, or the news that nothing is sent any more.', ...HTML },
    ],
    refusals: ['token_invalid'],
  },
];
