import { session } from '../../session.js';
import { named, wordsOf } from '../../words.js';
import table from './words.json';

/** Words of all that is about purposes, texts and drafts. */
export const words = wordsOf(table);

/** A word of the service, such as a legal basis, in the operator's language. */
export const term = (prefix: string, value: string): string => named(words, table, `${prefix}.`, value);

/** Who did something: an actor such as `operator:opt_…`, as the operator who looks would call them. */
export function who(actor: string): string {
  const [kind, id = ''] = actor.split(':');
  if (kind === 'operator' && id === session.value?.operator.id) return words('who.you');
  return kind === 'system' ? words('who.service') : id || actor;
}
