import { statSync } from 'node:fs';

/** What takes longest begins first, so that no worker has to wait for the other one at the end. The rest goes by size. */
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
  'acceptance/pages',
  'acceptance/try-it',
  'acceptance/docs',
  'acceptance/start',
  'acceptance/operator',
  'acceptance/access-table',
  'acceptance/backup',
  'acceptance/erasure-unreadable',
  'acceptance/contributing',
];

/** Jest's order of the specs. Always the same one: jest's own goes by how long each took the last time. */
export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((name) => path.endsWith(`${name}.spec.ts`));
      return index === -1 ? LONGEST.length : index;
    };
    const size = ({ path }) => statSync(path).size;
    return [...tests].sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
  }

  allFailedTests(tests) {
    return tests;
  }

  shard(tests) {
    return tests;
  }

  cacheResults() {}
}
