import { wordsOf } from '../../words.js';
import table from './words.json';

export const settingWords = wordsOf(table);
export const settingTable = table;
