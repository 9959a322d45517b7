import { jest } from '@jest/globals';
import type { Position } from '../kernel/index.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Follower, STALE_AFTER_MS } from './follower.js';
import type { SubscribeOptions, Subscription } from '../log/port.js';

/** A log of others' events. The test sets where it ends and what it delivers. */
class LateLog extends MemoryEventLog {
  end: Position = 0n;
  deliver: (through: Position) => Promise<void> = () => Promise.resolve();

  override head(): Promise<Position> {
    return Promise.resolve(this.end);
  }

  override subscribe({ onBatch }: SubscribeOptions): Subscription {
    this.deliver = (through) => onBatch([], through);
    return { stop: () => Promise.resolve() };
  }
}

describe('a follower', () => {
  let now: number;
  let log: LateLog;
  let follower: Follower;
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    await jest.advanceTimersByTimeAsync(ms);
  };
  beforeEach(async () => {
    jest.useFakeTimers();
    now = 0;
    log = new LateLog();
    follower = new Follower({ log, prefixes: ['site-'], take: () => undefined, nowMs: () => now });
    follower.start();
    await pass(0);
    await log.deliver(0n);
    expect(follower.isReady).toBe(true);
  });
  afterEach(async () => {
    await follower.stop();
    jest.useRealTimers();
  });

  it('knows how old what it knows is, also where it is always some seconds behind', async () => {
    for (let second = 1; second <= 20; second++) {
      log.end = BigInt(second);
      await pass(1_000);
      if (second > 4) await log.deliver(BigInt(second - 4));
      expect(follower.staleForMs).toBeNull();
    }
    expect(follower.stillForMs).toBe(0);
  });

  it('tells that it stands still from that it is behind', async () => {
    for (let second = 1; second <= 20; second++) {
      log.end = BigInt(second);
      await pass(1_000);
      if (second % 2 === 0) await log.deliver(BigInt(second / 2));
    }
    expect(follower.staleForMs).toBeGreaterThan(STALE_AFTER_MS);
    expect(follower.stillForMs).toBe(0);
    await pass(6_000);
    expect(follower.stillForMs).toBe(6_000);
    await log.deliver(20n);
    expect(follower.staleForMs).toBeNull();
  });

  it('is as current as somebody else finds it who has asked the log', async () => {
    await pass(6_000);
    log.end = 7n;
    log.head = () => Promise.reject(new Error('away'));
    await pass(6_000);
    expect(follower.staleForMs).toBeGreaterThan(STALE_AFTER_MS);
    const asked = follower.holdsAll(7n, 200, 500);
    await log.deliver(7n);
    expect(await asked).toBe(true);
    await pass(STALE_AFTER_MS - 300);
    expect(follower.staleForMs).toBeNull();
    await pass(200);
    expect(follower.staleForMs).toBe(STALE_AFTER_MS + 100);
  });

  it('asks one question at a time, and nobody takes the answer to a question that was sent before', async () => {
    const questions: ((end: Position) => void)[] = [];
    log.head = () => new Promise((resolve) => questions.push(resolve));
    const look = (): Promise<boolean> => follower.lookFor(() => false, 1_000);
    const first = look();
    await pass(0);
    // The log holds more by now than when it was asked, perhaps.
    const others = Promise.all([look(), look()]);
    await pass(0);
    expect(questions).toHaveLength(1);
    questions[0]!(0n);
    expect(await first).toBe(true);
    await pass(0);
    expect(questions).toHaveLength(2);
    const answered = jest.fn();
    const settled = others.then(answered);
    questions[1]!(7n);
    await pass(0);
    expect(answered).not.toHaveBeenCalled();
    await log.deliver(7n);
    await settled;
    expect(answered).toHaveBeenCalledWith([true, true]);
  });

  it('does not say that something is not there while the log does not tell in time', async () => {
    log.end = 7n;
    const late = follower.lookFor(() => false, 250);
    await pass(250);
    expect(await late).toBe(false);
    log.head = () => Promise.reject(new Error('gone'));
    expect([await follower.lookFor(() => false, 250), await follower.lookFor(() => true, 250)]).toEqual([false, true]);
  });

  it('is not current where what the log held does not come', async () => {
    log.head = () => Promise.reject(new Error('away'));
    await pass(6_000);
    const asked = follower.holdsAll(7n, 0, 500);
    await pass(500);
    expect(await asked).toBe(false);
    expect(follower.staleForMs).toBeGreaterThan(STALE_AFTER_MS);
  });
});
