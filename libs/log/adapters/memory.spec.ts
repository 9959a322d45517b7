import { describeEventLog, someEvents } from '../contract/log.contract.js';
import { LogUnavailable, NO_STREAM } from '../port.js';
import { BEGINNING } from '../../kernel/index.js';
import { MemoryEventLog } from './memory.js';

describeEventLog(
  'the log in memory',
  async () => {
    const log = new MemoryEventLog();
    return { log, close: () => log.close() };
  },
  { density: 'dense', runs: 100 },
);

describe('the log in memory', () => {
  it('begins empty, with the first event at position 0', async () => {
    const log = new MemoryEventLog();
    expect(await log.head()).toBe(BEGINNING);
    expect(await log.append('first', NO_STREAM, someEvents(1))).toMatchObject({ position: 0n });
    await log.close();
  });

  it('cannot be changed through what was handed in or out', async () => {
    const log = new MemoryEventLog();
    const [event] = someEvents(1);
    await log.append('first', NO_STREAM, [event!]);
    (event!.data as { n: number }).n = 99;
    const [read] = await log.read('first', { direction: 'forwards', limit: 1 });
    (read!.data as { n: number }).n = 98;
    expect((await log.read('first', { direction: 'forwards', limit: 1 }))[0]!.data).toEqual({ n: 0 });
    await log.close();
  });

  it('ends a stream that never was, too', async () => {
    const log = new MemoryEventLog();
    await log.tombstone('never');
    expect(await log.append('never', NO_STREAM, someEvents(1))).toEqual({ outcome: 'deleted' });
    await log.close();
  });

  it('is not available once closed', async () => {
    const log = new MemoryEventLog();
    await log.close();
    await expect(log.append('first', NO_STREAM, someEvents(1))).rejects.toThrow(LogUnavailable);
  });
});
