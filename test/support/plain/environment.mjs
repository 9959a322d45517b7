import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Jest's object for the specs of this process, see globals.mjs. */
const mocker = new ModuleMocker(globalThis);

/** No world of its own: a spec has the globals of the process, which are put back after it. */
export default class PlainEnvironment {
  moduleMocker = mocker;
  fakeTimers = null;
  fakeTimersModern;
  /** What jest hands over for a spec. Not the globals themselves, so that it does not change how the process ends. */
  global = { process: undefined };
  #console = globalThis.console;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    globalThis.console = this.global.console;
    globalThis[Symbol.for('assent-jest')] = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      useFakeTimers: () => this.fakeTimersModern.useFakeTimers(),
      useRealTimers: () => this.fakeTimersModern.useRealTimers(),
      advanceTimersByTimeAsync: (ms) => this.fakeTimersModern.advanceTimersByTimeAsync(ms),
    };
  }

  async teardown() {
    mocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}
