import { wordsOf } from '../../words.js';
import table from './words.json';

export const journalWords = wordsOf(table);
export const journalTable = table;
