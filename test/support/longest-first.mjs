import { statSync } from 'node:fs';

/** Of each half what takes longest begins first, so that no worker has to wait for the other one at the end. The rest goes by size. */
const LONGEST = [
  'faults/webhooks',
  'faults/four-roles',
  'faults/kill',
  'faults/older-log',
  'faults/stopping',
  'laws/subjects-model',
  'laws/forgetting',
  'ledger/verify',
  'event-log/sinks',
  'ledger/ledger-sink',
  'access/guard',
  'vault/rewrap',
  'adapters/eventstoredb',
  'laws/subjects-cut-short',
  'adapters/postgres',
  'deliveries/deliveries',
  'rules/openapi',
  'rules/imports',
  'event-log/shards',
  'laws/starting',
  'laws/keys-used-anew',
  'laws/subjects-model',
  'deliveries/enqueue',
  'laws/subjects-together',
  'event-log/published-views',
  'laws/consent-counts',
  'event-log/watched-log',
  'event-log/projector',
  'laws/frameworks',
  'roles/readiness',
  'roles/body-contracts',
  'receipts/signing-keys',
  'http/fields',
  'acceptance/docs',
  'acceptance/pages',
  'acceptance/banner-page',
  'acceptance/access-table',
  'acceptance/operator',
  'acceptance/audit-bundle',
  'acceptance/receipts-anew',
  'acceptance/odd-paths',
  'acceptance/backup',
  'acceptance/start',
  'acceptance/contributing',
  'acceptance/erasure-unreadable',
  'acceptance/master-key',
  'acceptance/try-it',
  'acceptance/portal',
  'acceptance/idempotency',
  'acceptance/signing-keys',
  'acceptance/openapi',
  'acceptance/double-opt-in',
  'acceptance/data-requests',
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
