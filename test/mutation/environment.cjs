// Jest loads environments by `require` here, once for all specs and mutants of a process.
const { TestEnvironment } = require('jest-environment-node');
const { activeMutant } = require('./active-mutant.cjs');

/** The mutant that a test has noticed. */
let noticed;

/**
 * Jest's environment for Node, which runs no further test of a file once one has noticed the mutant. Jest's own `bail`
 * counts files instead of tests, and ends the process.
 */
module.exports = class UntilNoticed extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') noticed = activeMutant();
    if (name === 'test_start' && noticed !== undefined && noticed === activeMutant()) test.mode = 'skip';
  }
};
