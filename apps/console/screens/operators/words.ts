import { named, wordsOf } from '../../words.js';
import table from './words.json';

export const operatorWords = wordsOf(table);

/** `Privacy officer`; as the service writes it where there is no word. */
export const roleName = (role: string): string => named(operatorWords, table, 'role.', role);

/** What a role is for; null where there are no words for it. */
export const rolePurpose = (role: string): string | null => {
  const purpose = named(operatorWords, table, 'why.', role);
  return purpose === role ? null : purpose;
};
