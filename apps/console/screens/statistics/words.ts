import { wordsOf } from '../../words.js';
import table from './words.json';

export const statisticsTable = table;
export const statisticsWords = wordsOf(table);
