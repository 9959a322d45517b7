import { named, wordsOf } from '../../words.js';
import table from './words.json';

export const t = wordsOf(table);

/** A code of the service as a word, such as `said.` `GRANTED`; the code where there is no word. */
export const code = (prefix: string, value: string): string => named(t, table, prefix, value);
