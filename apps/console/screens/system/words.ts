import { wordsOf } from '../../words.js';
import table from './words.json';

export const systemWords = wordsOf(table);
export const systemTable = table;
