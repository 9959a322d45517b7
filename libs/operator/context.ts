import { defineContext } from '../context/define-context.js';
import { operationsJournal } from './journal.js';
import { CreateBundleJobs1763920000002 } from './bundle/jobs/bundle-jobs.migration.js';
import { pruneBundles } from './bundle/jobs/bundle-jobs.js';
import { startBundles } from './bundle/jobs/bundle-worker.js';
import { AuditBundlesModule } from './bundle/jobs/module.js';
import { BUNDLE_OPERATIONS } from './bundle/jobs/operations.js';
import { CreateUpkeep1763920000001 } from './health/upkeep.migration.js';
import { OPERATIONS_EVENTS, OPERATIONS_STREAM } from './events.js';

// What the composition uses by itself.
export { databaseUrlOf, masterKeysOf, otherMasterKeyOf, requireMigrated } from './engines.js';
export { skipsFromLog } from './skips-from-log.js';
export { BUNDLE_RELEASE, type BundleRelease } from './bundle/jobs/bundle-worker.js';
/** Loaded only where an operator asks. */
export const loadHealth = () => import('./health/health.js');
export type { Health } from './health/health.js';
export type { DemoSettings } from './demo-settings.js';
export type { Readiness } from './readiness.js';
export type { Release, Settings } from './release.js';

/** Records what operators do to the engines by the command line. */
export const operatorContext = defineContext({
  name: 'operator',
  journal: operationsJournal,
  events: OPERATIONS_EVENTS,
  streams: [{ name: OPERATIONS_STREAM, of: 'INSTALLATION' }],
  operations: BUNDLE_OPERATIONS,
  migrations: [CreateUpkeep1763920000001, CreateBundleJobs1763920000002],
  modules: { 'write-api': [AuditBundlesModule] },
  worker: startBundles,
  prune: pruneBundles,
});
