import { writeFileSync } from 'node:fs';

/** Jest reporter: leaves the counts of a run in the file that ASSENT_TEST_COUNTS names, for whoever prints the closing line. */
export default class ClosingLine {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    // A suite that could not even be loaded has no test to fail, so it counts as one.
    const counts = { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
    if (process.env.ASSENT_TEST_COUNTS) writeFileSync(process.env.ASSENT_TEST_COUNTS, JSON.stringify(counts));
  }
}
