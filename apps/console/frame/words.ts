import { wordsOf } from '../words.js';
import table from './words.json';

/** Words of the frame and of the parts that every screen is made of. */
export const frameWords = wordsOf(table);
