// How jest runs a spec: in the process itself, by Node's own loader. Jest's own way makes a world of its own for each spec
// and loads every module into it anew: 26 small specs took 42 seconds of processor that way, and take 15 this way.
const { createRequire, register } = require('node:module');
const { pathToFileURL } = require('node:url');
const { mapOf } = require('./transformed.cjs');

register('../typescript.mjs', pathToFileURL(__filename));

/** Where jest-circus keeps who is told of what happens in a run. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');
/** And its tests, under a symbol of this name that each loading of it makes anew. */
const STATE = 'JEST_STATE_SYMBOL';

/** What jest asks of a runtime, as far as specs here need it. Modules are loaded once in a process and stay. */
class PlainRuntime {
  #require;
  #environment;
  #globals = {};
  /** Asked for by the names that frames of stacks have. */
  #maps = { get: mapOf, *[Symbol.iterator]() {} };

  constructor(config, environment) {
    this.#environment = environment;
    this.#require = createRequire(pathToFileURL(`${config.rootDir}/`));
  }

  /** The part of jest-circus that holds the tests of one spec: a new one for each, and nothing of the one before. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[HANDLERS];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === STATE) delete globalThis[symbol];
    const loaded = require(path);
    // Node would keep it for as long as this module is there.
    module.children.pop();
    return loaded;
  }

  requireModule(path) {
    return this.#require(path);
  }

  setGlobalsForRuntime(globals) {
    this.#globals = globals;
    Object.assign(globalThis, globals);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const { declareWith } = await import('./globals.mjs');
    declareWith(this.#globals);
    try {
      return await import(pathToFileURL(path).href);
    } catch (error) {
      this.#environment.isLoaded = false;
      throw error;
    }
  }

  getSourceMaps() {
    return this.#maps;
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}

module.exports = PlainRuntime;
