import { statSync } from 'node:fs';

/** Of each half what takes longest begins first, so that no worker has to wait for the other one at the end. The rest goes by size. */
const LONGEST = [
  'roles/body-contracts',
  'laws/forgetting',
  'laws/subjects-cut-short',
  'rules/openapi',
  'laws/subjects-together',
  'laws/keys-used-anew',
  'event-log/shards',
  'adapters/eventstoredb',
  'laws/starting',
  'rules/imports',
  'http/fields',
  'receipts/signing-keys',
  'vault/rewrap',
  'event-log/sinks',
  'adapters/postgres',
  'ledger/ledger-sink',
  'ledger/verify',
  'acceptance/try-it',
  'acceptance/pages',
  'acceptance/docs',
  'acceptance/start',
  'acceptance/receipts-anew',
  'acceptance/audit-bundle',
  'acceptance/operator',
  'acceptance/banner-page',
  'acceptance/master-key',
  'acceptance/access-table',
  'acceptance/backup',
  'acceptance/erasure-unreadable',
  'acceptance/odd-paths',
  'acceptance/idempotency',
  'acceptance/signing-keys',
  'acceptance/contributing',
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
