// What `@jest/globals` is for a spec: always that of the spec that runs, also for modules that were loaded for another one.
export let describe, it, test, expect, beforeAll, beforeEach, afterAll, afterEach;
/** As much of it as works in a process that specs share, see environment.mjs. Modules cannot be replaced: hand them in. */
export let jest;

/** Before a spec is loaded: what its tests are declared with. */
export function declareWith(globals) {
  ({ describe, it, test, expect, beforeAll, beforeEach, afterAll, afterEach } = globals);
}

/** What jest's object can do. */
export function offer(offered) {
  jest = new Proxy(offered, {
    get: (_, name) => {
      if (name in offered) return offered[name];
      throw new TypeError(`specs here have no jest.${String(name)}`);
    },
  });
}
