import { BY_LINK, BY_SECRET_KEY, KB, type OperationDeclaration } from '../../access/index.js';
import {
  ConfirmationDto,
  ConfirmationTokenDto,
  ConfirmDto,
  RequestConfirmationDto,
  UndoDto,
  UndoneDto,
  UnsubscribeDto,
  UnsubscribedDto,
  UnsubscribeLinkDto,
  UnsubscribeLinkRequestDto,
  UnsubscribeQuery,
} from './confirmation.dto.js';
import { TO_HELP_PERSONS } from '../../context/roles.js';

const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  description:
    'Makes a repeat harmless, for ever: the same key and body give the first answer again, with `Idempotent-Replayed: true`, and no second mail. 1 to 255 visible ASCII characters.',
  required: false,
  example: '5f0c3d1e-8a1b-4c59-9f4e-1f2a3b4c5d6e',
};
const TOKEN = 'cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8';
const UNDO = 'rft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4';
const UNSUBSCRIBE = 'uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4';
const UNSUBSCRIBE_URL = `https://consent.example/v1/preferences/unsubscribe?token=${UNSUBSCRIBE}`;
const NO_STORE = { 'Cache-Control': 'Always `no-store`.' };
const POSITION = { 'X-Log-Position': 'Position in the log. Send it back with a read to see this write.' };

export const CONFIRMATION_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    id: 'requestConfirmation',
    roles: TO_HELP_PERSONS,
    method: 'POST',
    path: '/v1/preferences/confirmation-token',
    scope: 'preferences:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 64 * KB,
    tag: 'Preferences',
    summary: 'Ask the owner of an address to confirm',
    description:
      'Double opt-in. The topics are PENDING until the link is used, unless they are GRANTED already: waiting never takes away a grant. With `to` the service mails the link, at most 3 mails an hour and 10 a day to one address; without it you send `confirmUrl`. A newer request about a topic takes the place of an older one, and refusing the topic ends it. The link is good for 48 hours unless the site says otherwise.',
    headers: [IDEMPOTENCY],
    body: {
      contract: RequestConfirmationDto,
      examples: {
        mailed: {
          subject: 'email:ada@example.org',
          channel: 'email',
          values: [{ field: 'news', value: true }],
          redirectUrl: 'https://demo.example/thanks',
          to: 'ada@example.org',
        },
        sentByYou: {
          subject: 'email:ada@example.org',
          values: [{ field: 'channels.email.topics.news', value: true }],
          redirectUrl: 'https://demo.example/thanks',
          locale: 'de',
        },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The link waits to be used.',
        contract: ConfirmationTokenDto,
        example: {
          token: TOKEN,
          confirmUrl: `https://consent.example/v1/preferences/confirm?token=${TOKEN}`,
          expiresAt: '2026-11-23T12:00:00.000Z',
        },
        headers: { ...POSITION, ...NO_STORE, 'Idempotent-Replayed': '`true` where this is the first answer again.' },
      },
    ],
    refusals: [
      'subject_ref_invalid',
      'identifier_kind_unknown',
      'subject_not_found',
      'subject_erased',
      'field_unknown',
      'redirect_url_not_allowed',
      'validation_failed',
      'rate_limited',
      'state_conflict',
    ],
  },
  {
    ...BY_LINK,
    id: 'confirmPreferences',
    path: '/v1/preferences/confirm',
    bodyLimit: 4 * KB,
    tag: 'Preferences',
    summary: 'Confirm',
    description:
      'The token is the permission. Grants what was asked for, once, however often it is called; within 24 hours the answer is the same again. Where the service wrote to the address itself, the address is verified too. A posted form, which is what the button of the page sends, is answered with a redirect to `redirectUrl` with `status=confirmed` in its query, and its errors are pages.',
    body: { contract: ConfirmDto, examples: { token: { token: TOKEN } } },
    answers: [
      {
        status: 200,
        description:
          'Confirmed, now or before. A form is answered with a page, which offers to undo it, where the site wants that (`afterConfirming`), does not have the domain of `redirectUrl` any more, or something else was chosen since.',
        contract: ConfirmationDto,
        example: {
          status: 'CONFIRMED',
          confirmedAt: '2026-11-21T12:00:00.000Z',
          values: [{ field: 'channels.email.topics.news', channel: 'email', state: 'GRANTED' }],
          redirectUrl: 'https://demo.example/thanks',
          undo: { token: UNDO, expiresAt: '2026-11-22T12:00:00.000Z' },
        },
        headers: { ...POSITION, ...NO_STORE },
      },
      {
        status: 303,
        description: 'To a form: the browser goes on.',
        headers: { ...POSITION, ...NO_STORE, Location: '`redirectUrl` with `status=confirmed`.' },
      },
    ],
    refusals: ['token_invalid', 'token_expired', 'state_conflict'],
  },
  {
    ...BY_LINK,
    id: 'unsubscribe',
    path: '/v1/preferences/unsubscribe',
    bodyLimit: 4 * KB,
    tag: 'Preferences',
    summary: 'Unsubscribe by a link',
    description:
      'The token is the permission, in the address or in the body. One click in a mail program (RFC 8058), the button of the page, or JSON. The token is the whole intent: the body may be left out, and what else it holds and says it is, is not looked at. Refuses the topics of the link at once and ends requests for confirmation about them; where that was said before, nothing is written. Recorded with the collection method CONFIRMATION_LINK. Does not expire.',
    query: UnsubscribeQuery,
    body: {
      contract: UnsubscribeDto,
      tokenOnly: true,
      examples: { byToken: { token: UNSUBSCRIBE }, oneClick: { 'List-Unsubscribe': 'One-Click' } },
    },
    answers: [
      {
        status: 200,
        description: 'Nothing of it is sent any more. A form is answered with a page.',
        contract: UnsubscribedDto,
        example: {
          status: 'UNSUBSCRIBED',
          channel: 'email',
          fields: ['channels.email.topics.news'],
          undo: { token: UNDO, expiresAt: '2026-11-22T12:00:00.000Z' },
        },
        headers: { ...POSITION, ...NO_STORE },
      },
    ],
    refusals: ['token_invalid', 'state_conflict'],
  },
  {
    ...BY_LINK,
    id: 'undoByLink',
    path: '/v1/preferences/undo',
    bodyLimit: 4 * KB,
    tag: 'Preferences',
    summary: 'Undo what a link did',
    description:
      'The token is the permission; confirming and unsubscribing hand it out, in JSON and in the button of their pages. For 24 hours. A confirmation becomes a refusal; unsubscribing gives back what was granted before, confirmed as it was. Recorded as an event of its own with the collection method CONFIRMATION_LINK and the id of what it undoes; nothing is removed from the history. Once, however often it is called: the answer is the same again. What was chosen anew since stands, and where nothing else is left the answer is `state_conflict`. Never by opening an address: only by POST.',
    body: { contract: UndoDto, examples: { token: { token: UNDO } } },
    answers: [
      {
        status: 200,
        description: 'Undone, now or before. A form is answered with a page.',
        contract: UndoneDto,
        example: {
          status: 'UNDONE',
          undid: 'CONFIRMATION',
          undoneAt: '2026-11-21T12:01:00.000Z',
          values: [{ field: 'channels.email.topics.news', channel: 'email', state: 'DENIED' }],
        },
        headers: { ...POSITION, ...NO_STORE },
      },
    ],
    refusals: ['token_invalid', 'token_expired', 'state_conflict'],
  },
  {
    ...BY_SECRET_KEY,
    id: 'makeUnsubscribeLink',
    roles: TO_HELP_PERSONS,
    method: 'POST',
    path: '/v1/preferences/unsubscribe-link',
    scope: 'preferences:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 4 * KB,
    tag: 'Preferences',
    summary: 'Make a link to unsubscribe',
    description:
      'For mails of your own: page and one click in one address, with the two headers for the mail. The link does not expire, is stored nowhere, and is the same for the same request. It follows a merge, and is worth nothing once the subject is erased.',
    body: {
      contract: UnsubscribeLinkRequestDto,
      examples: { newsletter: { subject: 'email:ada@example.org', channel: 'email', topics: ['news'] } },
    },
    answers: [
      {
        status: 200,
        description: 'The link.',
        contract: UnsubscribeLinkDto,
        example: {
          token: UNSUBSCRIBE,
          unsubscribeUrl: UNSUBSCRIBE_URL,
          headers: {
            'List-Unsubscribe': `<${UNSUBSCRIBE_URL}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        },
        headers: NO_STORE,
      },
    ],
    refusals: [
      'subject_ref_invalid',
      'identifier_kind_unknown',
      'subject_not_found',
      'field_unknown',
      'validation_failed',
    ],
  },
];
