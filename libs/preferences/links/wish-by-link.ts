import type { TemplateField } from '../../catalogue/index.js';
import type { Wish } from '../decide.js';
import { topicOf } from '../view.js';

/**
 * What a link says of a topic, whatever the template says today: a refusal asks nothing of how a topic is declared, and
 * what is given back was confirmed when it was given.
 */
export const wishByLink = (path: string, wanted: boolean): Wish => ({
  resolved: { kind: 'topic', ...topicOf(path), definition: UNCONDITIONAL },
  field: path,
  value: wanted,
});

const UNCONDITIONAL: TemplateField = {
  key: '',
  kind: 'TOGGLE',
  label: {},
  help: null,
  channel: null,
  topic: null,
  purposeKey: null,
  options: [],
  default: null,
  required: false,
  doubleOptIn: 'NONE',
  validation: {},
};
