import { named, wordsOf } from '../../words.js';
import table from './actions.json';

const words = wordsOf(table);

export type Action = keyof typeof table;
export const ACTIONS = Object.keys(table) as readonly Action[];

/** An action in words; as the service writes it where there is no word. */
export const actionText = (action: string): string => named(words, table, '', action);
