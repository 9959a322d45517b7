import type { Stand } from '../policy/index.js';
import type { ConsentStateName } from './events.js';

/** What stands by the state alone, before signal and version are looked at. */
export const STAND_OF: Readonly<Record<ConsentStateName, Stand>> = {
  NOT_COLLECTED: 'NOTHING',
  PENDING: 'NOTHING',
  DENIED: 'REFUSED',
  WITHDRAWN: 'REFUSED',
  OBJECTED: 'REFUSED',
  ACKNOWLEDGED: 'READ',
  GRANTED: 'GRANTED',
  EXPIRED: 'EXPIRED',
};
