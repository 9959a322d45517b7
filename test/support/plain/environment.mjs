import { appendFileSync } from 'node:fs';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { repeatsFile } from '../closing-line.mjs';
import { offer } from './globals.mjs';
import { takeRepeats } from './repeats.mjs';
import { Standing } from './standing.mjs';

const mocker = new ModuleMocker(globalThis);
/** Node itself works by these, so they stay real: what it puts off while they are fake never happens. */
const NODES_OWN = ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'hrtime', 'performance'];

/** No world of its own: a spec has the globals of the process, and fails if it leaves them, or anything else, changed. */
export default class PlainEnvironment {
  moduleMocker = mocker;
  fakeTimers = null;
  fakeTimersModern;
  /** What jest hands over for a spec. Not the globals themselves, so that it does not change how the process ends. */
  global = { process: undefined };
  /** Of one that cannot be loaded jest tells why, and nothing else. */
  isLoaded = true;
  #console = globalThis.console;
  #before;
  #spec;

  constructor({ projectConfig }, { testPath }) {
    this.#spec = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    this.#before = new Standing();
    globalThis.console = this.global.console;
    offer({
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      useFakeTimers: (options) => this.fakeTimersModern.useFakeTimers({ ...options, doNotFake: NODES_OWN }),
      useRealTimers: () => this.fakeTimersModern.useRealTimers(),
      advanceTimersByTimeAsync: (ms) => this.fakeTimersModern.advanceTimersByTimeAsync(ms),
    });
  }

  async teardown() {
    this.#noteRepeats();
    globalThis.console = this.#console;
    const left = this.#before?.left() ?? [];
    mocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    this.#before?.putBack();
    // In the process of jest itself its own work comes and goes, and so do the installations that specs share.
    if (this.#before && this.isLoaded && typeof process.send === 'function')
      left.push(...(await this.#before.stillOpen()));
    if (this.isLoaded && left.length > 0)
      throw new Error(`the spec leaves behind for those after it: ${left.join(', ')}`);
  }

  #noteRepeats() {
    const counted = takeRepeats();
    const counts = process.env.ASSENT_TEST_COUNTS;
    if (counts && counted.requests > 0)
      appendFileSync(repeatsFile(counts), `${JSON.stringify({ spec: this.#spec, ...counted })}\n`);
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}
