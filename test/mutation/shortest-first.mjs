import { statSync } from 'node:fs';

/** Jest's order of the specs for mutants: small files of single cases before laws. */
export default class ShortestFirst {
  sort(tests) {
    const size = ({ path }) => statSync(path).size + (path.includes('/laws/') ? 1e9 : 0);
    return [...tests].sort((a, b) => size(a) - size(b));
  }

  allFailedTests(tests) {
    return tests;
  }

  shard(tests) {
    return tests;
  }

  cacheResults() {}
}
