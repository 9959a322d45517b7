import { describeAppending } from './log-appending.contract.js';
import { describeHanging } from './log-hanging.contract.js';
import { describeLikeModel } from './log-model.contract.js';
import { describeReading } from './log-reading.contract.js';
import { describeSubscribing } from './log-subscribing.contract.js';
import { describeTombstones } from './log-tombstones.contract.js';
import type { ContractOptions, LogUnderTest, OpenedLog } from './log-under-test.contract.js';

export { anEvent, collector, someEvents } from './log-under-test.contract.js';

/** What every event log does, whatever it stores in. The log may be shared and hold other streams already. */
export function describeEventLog(
  name: string,
  open: () => Promise<OpenedLog>,
  { density = 'growing', runs = 25, hangs = false }: ContractOptions = {},
): void {
  describe(`${name} keeps the promises of an event log`, () => {
    let opened: OpenedLog;
    const tested: LogUnderTest = { opened: () => opened, log: () => opened.log, density, runs, hangs };

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened?.close();
    });

    describeAppending(tested);
    describeReading(tested);
    describeSubscribing(tested);
    describeTombstones(tested);
    describeLikeModel(tested);
    describeHanging(tested);
  });
}
