import { named, wordsOf } from '../../words.js';
import table from './words.json';

/** Words about one endpoint. */
export const endpointWords = wordsOf(table);
export const endpointNamed = (prefix: string, value: string): string => named(endpointWords, table, prefix, value);
