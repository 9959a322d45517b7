import { statSync } from 'node:fs';

/** Of each half what takes longest begins first, so that no worker has to wait for the other one at the end. The rest goes by size. */
const LONGEST = [
  'faults/webhooks',
  'faults/four-roles',
  'faults/kill',
  'faults/older-log',
  'faults/stopping',
  'deliveries/deliveries',
  'following/sinks/sinks',
  'adapters/eventstoredb',
  'laws/forgetting',
  'ledger/verify',
  'vault/rewrap',
  'rules/openapi',
  'rules/imports',
  'laws/subjects-cut-short',
  'log/watched-log',
  'access/guard',
  'ledger/ledger-sink',
  'following/shards/shards',
  'laws/subjects-model',
  'deliveries/runner',
  'laws/starting',
  'adapters/postgres',
  'following/projections/published-views',
  'engines/database/database',
  'laws/subjects-together',
  'laws/keys-used-anew',
  'following/projections/projector',
  'deliveries/enqueue',
  'receipts/signing-keys',
  'composition/body-contracts',
  'http/fields',
  'acceptance/docs',
  'acceptance/portal',
  'acceptance/pages',
  'acceptance/try-it',
  'acceptance/client-package',
  'acceptance/backup',
  'acceptance/receipts-anew',
  'acceptance/operator',
  'acceptance/odd-paths',
  'acceptance/banner-page',
  'acceptance/access-table',
  'acceptance/contributing',
  'acceptance/master-key',
  'acceptance/console-webhooks',
  'acceptance/start',
  'acceptance/idempotency',
  'acceptance/audit-bundle',
  'acceptance/subjects-merge',
  'acceptance/erasure-unreadable',
  'acceptance/signing-keys',
  'acceptance/double-opt-in',
  'acceptance/openapi',
  'acceptance/data-requests',
  'acceptance/operations',
];

/**
 * Jest's order of the specs: units, laws and rules first, which fail soon and say most, then the interface. Always the
 * same one: jest's own goes by how long each took the last time.
 */
export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((name) => path.endsWith(`${name}.spec.ts`));
      return index === -1 ? LONGEST.length : index;
    };
    const size = ({ path }) => statSync(path).size;
    const half = ({ path }) => (path.includes('/test/acceptance/') ? 1 : 0);
    return [...tests].sort((a, b) => half(a) - half(b) || rank(a) - rank(b) || size(b) - size(a));
  }

  allFailedTests(tests) {
    return tests;
  }

  shard(tests) {
    return tests;
  }

  cacheResults() {}
}
