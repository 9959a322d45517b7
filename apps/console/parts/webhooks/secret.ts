import { wordsOf } from '../../words.js';
import table from './secret.json';

/** Words for the secret of an endpoint, when it is shown. */
export const secretWords = wordsOf(table);
