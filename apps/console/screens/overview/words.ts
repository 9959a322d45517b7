import { wordsOf } from '../../words.js';
import table from './words.json';

export const overviewTable = table;
export const overviewWords = wordsOf(table);
