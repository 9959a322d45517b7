// Jest loads runners by `require` here.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: TestRunner } = require('jest-runner');
const { activeMutant } = require('./active-mutant.cjs');

/**
 * Jest's runner, which for a mutant loads no file whose tests do not reach it, and none after a test has noticed it.
 * Stryker tells jest the names of the tests only, so jest alone would load every file to look for them: most of the
 * processor time of a mutant.
 */
module.exports = class UntilNoticed extends TestRunner {
  async runTests(tests, watcher, options) {
    let failed = false;
    const names = {};
    this.on('test-file-success', ([test, result]) => {
      failed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
      names[test.path] = result.testResults.map(({ fullName }) => fullName);
    });
    this.on('test-file-failure', () => (failed = true));
    const noted = join(tests[0]?.context.config.rootDir ?? '.', '.tests-by-file.json');
    if (activeMutant() === undefined) {
      await super.runTests(tests, watcher, options);
      writeFileSync(noted, JSON.stringify(names));
      return;
    }
    const pattern = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
    const known = JSON.parse(readFileSync(noted, 'utf8'));
    for (const test of tests)
      if (!failed && known[test.path]?.some((name) => pattern.test(name)))
        await super.runTests([test], watcher, options);
  }
};
