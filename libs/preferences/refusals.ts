import { refusal, type Refusal } from '../kernel/index.js';
import { redirectNotAllowed } from './redirect-url.js';

/** An operator needs longer to set up a mail server. */
const MAIL_SERVER_SET_WITHIN_S = 300;

export const preferenceRefusals = {
  nothingSaid: (): Refusal =>
    refusal('validation_failed', 'Nothing is set.', 'Send at least one value, or globalOptOut.', [
      { path: 'values', message: 'is empty' },
    ]),
  namedTwice: (path: string): Refusal =>
    refusal('validation_failed', 'A preference is named twice.', 'Send each field once.', [
      { path, message: 'is named before' },
    ]),
  emptyWish: (path: string): Refusal =>
    refusal('validation_failed', 'Of this field nothing is said.', 'Send value, frequency or pausedUntil.', [
      { path, message: 'has neither value, frequency nor pausedUntil' },
    ]),
  pauseNotTaken: (path: string): Refusal =>
    refusal('validation_failed', 'Only topics can be paused.', 'Leave pausedUntil out of typed fields.', [
      { path, message: 'is not taken here' },
    ]),
  pauseOver: (path: string): Refusal =>
    refusal(
      'validation_failed',
      'The pause would be over before it begins.',
      'Send a time that lies ahead, or null to end a pause.',
      [{ path, message: 'lies in the past' }],
    ),
  givenInFuture: (): Refusal =>
    refusal(
      'timestamp_in_future',
      'givenAt lies more than 5 minutes ahead.',
      'Leave givenAt out to have the server set it, or correct the clock.',
      [{ path: 'givenAt', message: 'lies in the future' }],
    ),
  givenTooLongAgo: (): Refusal =>
    refusal(
      'validation_failed',
      'givenAt lies more than 24 hours back.',
      'Only IMPORT and MIGRATION may tell of older choices; they need a secret key.',
      [{ path: 'givenAt', message: 'lies more than 24 hours back' }],
    ),
  topicsOnly: (path: string): Refusal =>
    refusal(
      'validation_failed',
      'Only topics that are wanted are confirmed by a link.',
      'Send topics with the value true; set everything else with POST /v1/preferences.',
      [{ path, message: 'is no topic with the value true' }],
    ),
  oneChannel: (path: string): Refusal =>
    refusal(
      'validation_failed',
      'A confirmation is about one channel.',
      'Send topics of one channel; ask for another channel in a request of its own.',
      [{ path, message: 'is of another channel' }],
    ),
  notTheirAddress: (): Refusal =>
    refusal(
      'validation_failed',
      'The address is not one of the subject.',
      'Add it with POST /v1/subjects/{ref}/identifiers first, or leave `to` out and send confirmUrl yourself.',
      [{ path: 'to', message: 'is no address of the subject' }],
    ),
  redirectNotAllowed,
  noMailServer: (): Refusal => ({
    ...refusal(
      'dependency_unavailable',
      'Mail of live environments goes through a mail server, and this service has none.',
      'Leave `to` out and send confirmUrl yourself; or set SMTP_URL for every process of the service.',
      [{ path: 'to', message: 'cannot be written to' }],
    ),
    retryAfterSeconds: MAIL_SERVER_SET_WITHIN_S,
  }),
  mailProvesNoNumber: (): Refusal =>
    refusal(
      'validation_failed',
      'A mail does not prove who has a number.',
      'Leave `to` out and send confirmUrl to the number yourself.',
      [{ path: 'to', message: 'cannot confirm a channel that is verified by phone' }],
    ),
  tooManyLinkTopics: (): Refusal =>
    refusal(
      'validation_failed',
      'The link would be too long for a header.',
      'Name fewer topics, or none for the whole channel.',
      [{ path: 'topics', message: 'are too many for one link' }],
    ),
  tooManyMails: (): Refusal =>
    refusal(
      'rate_limited',
      'This address was sent as many confirmation mails as it may be.',
      'Wait for the time in Retry-After: at most 3 mails an hour and 10 a day go to one address.',
      [{ path: 'to', message: 'was written to too often' }],
    ),
  tokenInvalid: (): Refusal =>
    refusal(
      'token_invalid',
      'The link is not valid.',
      'It was mistyped, or a newer one took its place; use the newest, or ask for another.',
      [{ path: 'token', message: 'is not valid' }],
    ),
  changedSince: (): Refusal =>
    refusal(
      'state_conflict',
      'There is nothing to undo: another choice was made since, and that one stands.',
      'Read the preferences of the subject, and set what is wanted now.',
      [{ path: 'token', message: 'is of a choice that no longer stands' }],
    ),
  undoOver: (): Refusal =>
    refusal(
      'token_expired',
      'This can no longer be undone.',
      'It can be undone for 24 hours. Set what is wanted now with POST /v1/preferences, or unsubscribe by the link of a mail.',
      [{ path: 'token', message: 'has expired' }],
    ),
  tokenExpired: (): Refusal =>
    refusal('token_expired', 'The link has expired.', 'Ask for a new one.', [
      { path: 'token', message: 'has expired' },
    ]),
} as const;
