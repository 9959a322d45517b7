import { wordsOf } from '../../words.js';
import table from './words.json';

export const words = wordsOf(table);
