import type { TemplateView } from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import { isReceived } from './link-standing.js';
import type { StandingTopics } from '../pages/model.js';
import type { PreferenceChoices } from '../topics.js';

/** How a template names a topic to people. What it has dropped since is called by the name that it has in the log. */
export const labelIn = ({ sections }: TemplateView, { channel, topic }: { channel: string; topic: string }): string =>
  sections.flatMap(({ fields }) => fields).find((field) => field.channel === channel && field.topic === topic)?.label ??
  topic;

/** Of the topics of a link, those that are sent now and those that are not. */
export function standingTopics(
  fields: readonly { field: string; channel: string; topic: string }[],
  view: TemplateView,
  choices: PreferenceChoices,
  at: Instant,
): StandingTopics {
  const labels = (received: boolean): string[] =>
    fields.filter(({ field }) => isReceived(field, choices, at) === received).map((field) => labelIn(view, field));
  return { gets: labels(true), getsNot: labels(false) };
}
