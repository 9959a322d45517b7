import { didYouMean, refusal, type Issue, type Refusal } from '../kernel/index.js';

/** Every "no" of this context. Which HTTP status a code has is said once, in the HTTP layer. */
export const consentRefusals = {
  /** `published`: the keys that the site has, for the one that was most likely meant. */
  purposeUnknown: (key: string, published: Iterable<string>): Refusal =>
    refusal(
      'purpose_unknown',
      'No purpose with that key is published.',
      'List the published keys with GET /v1/purposes, or publish the purpose first.',
      [issue('purpose', `is not a published purpose${didYouMean(key, published)}`)],
    ),
  purposeRetired: (): Refusal =>
    refusal(
      'purpose_retired',
      'This purpose is retired and takes no new grants.',
      'Withdrawals and refusals stay possible; for a grant ask about the purpose that replaced it.',
      [issue('purpose', 'is retired')],
    ),
  purposeVersionUnknown: (): Refusal =>
    refusal(
      'purpose_version_unknown',
      'That version of the purpose was never in force.',
      'Leave purposeVersion out for the current one, or list them with GET /v1/purposes/{key}/versions.',
      [issue('purposeVersion', 'is not a version of this purpose')],
    ),
  objectionNotAllowed: (): Refusal =>
    refusal(
      'decision_not_allowed',
      'This purpose cannot be objected to.',
      'OBJECTED fits purposes on LEGITIMATE_INTERESTS or with the OPT_OUT model; send DENIED or WITHDRAWN instead.',
      [issue('decision', 'OBJECTED does not fit this purpose')],
    ),
  acknowledgementNotAllowed: (): Refusal =>
    refusal(
      'decision_not_allowed',
      'This purpose asks for a decision, not for an acknowledgement.',
      'ACKNOWLEDGED fits NOTICE_ONLY purposes; send GRANTED or DENIED instead.',
      [issue('decision', 'ACKNOWLEDGED does not fit this purpose')],
    ),
  givenInFuture: (): Refusal =>
    refusal(
      'timestamp_in_future',
      'givenAt lies more than 5 minutes ahead of the server.',
      'Correct the clock of the sender, or leave givenAt out.',
      [issue('givenAt', 'lies in the future')],
    ),
  givenTooLongAgo: (): Refusal =>
    invalid(
      'givenAt',
      'lies more than 24 hours back',
      'Older decisions are recorded with source IMPORT or MIGRATION and a secret key.',
    ),
  givenTwice: (): Refusal =>
    invalid(
      'givenSecondsAgo',
      'stands beside givenAt',
      'Send one of the two: givenSecondsAgo where the clock of the device cannot be trusted, else givenAt.',
    ),
  checkedTwice: (index: number): Refusal =>
    invalid(
      `collection.display.checks[${index}].check`,
      'stands twice',
      'Send each check once, with what was on the screen when the choice was made.',
    ),
  expiryNotAllowed: (): Refusal =>
    invalid(
      'expiresAt',
      'is only possible for GRANTED and ACKNOWLEDGED',
      'Leave expiresAt out: a refusal does not run out by itself.',
    ),
  expiryBeforeGiven: (): Refusal =>
    invalid('expiresAt', 'must lie after givenAt', 'Send a later expiresAt, or leave it out.'),
  /** `rule`: id of the rule of law that limits it; null where the purpose does. */
  expiryTooLate: (latest: string, rule: string | null): Refusal =>
    invalid(
      'expiresAt',
      `must not lie after ${latest}${rule === null ? '' : ` (rule ${rule})`}`,
      rule === null
        ? 'The purpose limits how long a consent is valid; send an earlier expiresAt, or leave it out.'
        : 'The law of the place limits how long a consent is valid: see consentValidityDays of GET /v1/policy. Send an earlier expiresAt, or leave it out.',
    ),
} as const;

const issue = (path: string, message: string): Issue => ({ path, message });

function invalid(path: string, message: string, hint: string): Refusal {
  return refusal('validation_failed', 'The request does not fit the rules.', hint, [issue(path, message)]);
}
