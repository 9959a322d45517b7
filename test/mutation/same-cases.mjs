// Loaded before each spec of a mutation run: laws draw the same cases for every mutant, so that a score can be had again,
// and look no further once one of them fails.
import fc from 'fast-check';

fc.configureGlobal({ seed: 20261122, endOnFailure: true });
