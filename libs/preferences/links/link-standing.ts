import { epochMs, type Instant, type Refusal } from '../../kernel/index.js';
import { preferenceRefusals } from '../refusals.js';
import { shownState, type PreferenceChoices } from '../topics.js';

/** How long a link that was used answers the same again. */
export const ANSWERED_AGAIN_MS = 24 * 3_600_000;

export const isAnsweredAgain = (confirmedAt: Instant, at: Instant): boolean =>
  epochMs(at) < epochMs(confirmedAt) + ANSWERED_AGAIN_MS;

/** Whether a link that confirms still does something: OPEN, or did it a short while ago, which may have been taken back. */
export function linkStanding(
  requestId: string,
  tokenHash: string,
  { requests }: PreferenceChoices,
  at: Instant,
): 'OPEN' | 'CONFIRMED' | 'UNDONE' | Refusal {
  const request = Object.hasOwn(requests, requestId) ? requests[requestId] : undefined;
  if (request?.tokenHash !== tokenHash) return preferenceRefusals.tokenInvalid();
  if (request.confirmedAt !== null)
    return !isAnsweredAgain(request.confirmedAt, at)
      ? preferenceRefusals.tokenExpired()
      : request.undoneAt === undefined
        ? 'CONFIRMED'
        : 'UNDONE';
  return request.expiresAt > at ? 'OPEN' : preferenceRefusals.tokenExpired();
}

/** Whether messages of a topic are sent at all, as far as the person decides that. */
export const isReceived = (path: string, { topics, globalOptOut }: PreferenceChoices, at: Instant): boolean =>
  globalOptOut?.active !== true && shownState(topics[path], at) === 'GRANTED';

/** The topics that a link to unsubscribe is about, by path: all that the channel has or had, where it names none. */
export function topicsOfLink(
  channel: string,
  topics: readonly string[] | null,
  offered: readonly string[],
  choices: PreferenceChoices,
): string[] {
  const inChannel = `channels.${channel}.topics.`;
  if (topics) return topics.map((topic) => inChannel + topic);
  return [
    ...new Set([
      ...offered.map((topic) => inChannel + topic),
      ...Object.keys(choices.topics).filter((path) => path.startsWith(inChannel)),
    ]),
  ];
}

/** Whether nothing of it is sent any more, nor asked about. */
export const isUnsubscribed = (paths: readonly string[], choices: PreferenceChoices, at: Instant): boolean =>
  paths.every((path) => shownState(choices.topics[path], at) === 'DENIED');
