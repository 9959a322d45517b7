import { wordsOf } from '../../words.js';
import table from './words.json';

export const proofWords = wordsOf(table);
export const proofTable = table;
