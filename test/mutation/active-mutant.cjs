/** The id of the mutant that Stryker has switched on. Undefined in its first run, which has none. */
exports.activeMutant = () => process.env.__STRYKER_ACTIVE_MUTANT__;
