import { defineContext } from '../context/define-context.js';
import { OPERATIONS_EVENTS, OPERATIONS_STREAM } from './events.js';

/** Records what operators do to the engines by the command line. */
export const operatorContext = defineContext({
  name: 'operator',
  events: OPERATIONS_EVENTS,
  streams: [{ name: OPERATIONS_STREAM, of: 'INSTALLATION' }],
});
