import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { judgeRepeats } from './repeats.mjs';

/**
 * Jest reporter: leaves the counts of a run in the file that ASSENT_TEST_COUNTS names, for run.mjs, which prints the
 * closing line, and says what had to be asked for again.
 */
export default class ClosingLine {
  #root;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const file = process.env.ASSENT_TEST_COUNTS;
    if (!file) return;
    const { lines, fault } = judgeRepeats(this.#counted(repeatsFile(file)));
    if (lines.length > 0) console.error(lines.join('\n'));
    if (fault) console.error(`FAIL ${fault}`);
    // A suite that could not even be loaded has no test to fail, so it counts as one, and so does a run with a fault.
    const failed = numFailedTests + numRuntimeErrorTestSuites + (fault ? 1 : 0);
    writeFileSync(file, JSON.stringify({ passed: numPassedTests, failed }));
  }

  #counted(file) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return Object.fromEntries(
      lines.map((line) => JSON.parse(line)).map(({ spec, ...counted }) => [relative(this.#root, spec), counted]),
    );
  }
}

/** Where specs note how often they asked again, a line each. */
export const repeatsFile = (counts) => `${counts}.repeats`;
