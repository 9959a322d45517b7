import { named, wordsOf } from '../../words.js';
import steps from './steps.json';
import table from './words.json';

/** Words about one request. */
export const requestCardWords = wordsOf(table);
/** Words of what can be done with it, and of the dialogs that ask. */
export const stepWords = wordsOf(steps);

export const reasonText = (code: string): string => named(stepWords, steps, 'reason.', code);
/** A word of the service with a prefix of words.json. */
export const cardNamed = (prefix: string, value: string): string => named(requestCardWords, table, prefix, value);
