// What `@jest/globals` is for a spec: always that of the spec that runs, also for modules that were loaded for another one.
const current = (name, of = () => globalThis) =>
  new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(of()[name], self, args),
    get: (_, property) => of()[name][property],
  });

export const describe = current('describe');
export const it = current('it');
export const test = current('test');
export const expect = current('expect');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const jest = new Proxy({}, { get: (_, property) => globalThis[Symbol.for('assent-jest')][property] });
