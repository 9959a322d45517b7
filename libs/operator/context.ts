import { defineContext } from '../context/define-context.js';
import { OPERATIONS_EVENTS, OPERATIONS_STREAM } from './events.js';

/** What operators did to the engines themselves, on record. They do it by the command line. */
export const operatorContext = defineContext({
  name: 'operator',
  events: OPERATIONS_EVENTS,
  streams: [{ name: OPERATIONS_STREAM, of: 'INSTALLATION' }],
});
