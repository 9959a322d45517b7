import { defineContext } from '../context/define-context.js';
import { CreateUpkeep1763920000001 } from './health/upkeep.migration.js';
import { OPERATIONS_EVENTS, OPERATIONS_STREAM } from './events.js';

// What the composition uses by itself.
export { databaseUrlOf, masterKeysOf, otherMasterKeyOf, requireMigrated } from './engines.js';
export { skipsFromLog } from './skips-from-log.js';
/** Loaded only where an operator asks. */
export const loadHealth = () => import('./health/health.js');
export type { Health } from './health/health.js';
export type { DemoSettings } from './demo-settings.js';
export type { Readiness } from './readiness.js';
export type { Release, Settings } from './release.js';

/** Records what operators do to the engines by the command line. */
export const operatorContext = defineContext({
  name: 'operator',
  events: OPERATIONS_EVENTS,
  streams: [{ name: OPERATIONS_STREAM, of: 'INSTALLATION' }],
  migrations: [CreateUpkeep1763920000001],
});
