import { refusal, type Refusal } from '../kernel/index.js';

/** An operator needs longer to set up a mail server. */
const MAIL_SERVER_SET_WITHIN_S = 300;

export const portalRefusals = {
  noMailServer: (): Refusal => ({
    ...refusal(
      'dependency_unavailable',
      'Mail of live environments goes through a mail server, and this service has none.',
      'Set SMTP_URL for every process of the service; or sign people in with portal tokens.',
    ),
    retryAfterSeconds: MAIL_SERVER_SET_WITHIN_S,
  }),
  tooManyCodes: (): Refusal =>
    refusal(
      'rate_limited',
      'Too many codes went to this address.',
      'Use the newest code, or wait as long as Retry-After says. One address gets 3 codes an hour and 10 a day.',
    ),
  evidenceMissing: (): Refusal =>
    refusal(
      'validation_failed',
      'A requester who acts for another person has to show that they may.',
      'Send requester.evidence: a reference to the mandate, or to what shows custody.',
      [{ path: 'requester.evidence', message: 'is missing' }],
    ),
  correctionsNotTaken: (): Refusal =>
    refusal('validation_failed', 'Only a RECTIFICATION takes corrections.', 'Leave corrections out.', [
      { path: 'corrections', message: 'is not taken by this type' },
    ]),
  /** Of a code that is wrong, was used, or is none of ours: the answer does not say which. */
  codeWrong: (triesLeft: number | null): Refusal =>
    refusal(
      'token_invalid',
      'The code is not right.',
      triesLeft === null || triesLeft > 0
        ? 'Look at the newest mail and enter its six digits. A code is good once.'
        : 'Ask for a new code: this one was tried too often.',
      [{ path: 'code', message: 'is not the code that was mailed' }],
    ),
  codeOver: (): Refusal =>
    refusal('token_expired', 'The code is not good any more.', 'Ask for a new code.', [
      { path: 'code', message: 'expired, or was tried too often' },
    ]),
} as const;
