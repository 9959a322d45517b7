import { statSync } from 'node:fs';

/** What takes longest begins first, so that no worker has to wait for the other one at the end. The rest goes by size. */
const LONGEST = [
  'laws/forgetting',
  'acceptance/docs',
  'laws/subjects-cut-short',
  'laws/subjects-together',
  'acceptance/pages',
  'acceptance/start',
  'acceptance/operator',
  'acceptance/contributing',
  'adapters/eventstoredb',
  'rules/imports',
  'event-log/sinks',
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
