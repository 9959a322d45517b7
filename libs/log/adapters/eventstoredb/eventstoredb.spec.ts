import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { END_POSITION, ProtocolServer, type Fault } from '../../../../test/support/eventstoredb/protocol-server.js';
import { anEvent, collector, describeEventLog, someEvents } from '../../contract/log.contract.js';
import { READ_MS_MAX } from '../../append-limits.js';
import { LogTooSlow, LogUnavailable, NO_STREAM, type NewEvent } from '../../port.js';
import { BEGINNING, type Position } from '../../../kernel/index.js';
import { Connection } from './eventstoredb-connection.js';
import { isSilence } from './eventstoredb-failures.js';
import { StreamNames } from './eventstoredb-names.js';
import { EventStoreDbSubscription } from './eventstoredb-subscription.js';
import { EventStoreDbLog } from './eventstoredb.js';
import { settlesWithin, until, untilItPasses } from '../../../../test/support/timing.js';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const numbers = (events: { data: unknown }[]): unknown[] => events.map((event) => (event.data as { n: unknown }).n);
const streamName = (kind = 'trap'): string => `${kind}-${randomUUID()}`;

/** Asks again for what got no answer, as callers do: on a machine full of other tests the log may be too slow for its time. */
class PatientLog extends EventStoreDbLog {
  override append(...append: Parameters<EventStoreDbLog['append']>): ReturnType<EventStoreDbLog['append']> {
    return answered(() => super.append(...append));
  }

  override read(...read: Parameters<EventStoreDbLog['read']>): ReturnType<EventStoreDbLog['read']> {
    return answered(() => super.read(...read));
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof LogUnavailable;

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  let longestMs = 20;
  // Hundreds that ask again at once leave this process no time for any answer, so they ask ever more apart.
  const rest = () => pause(Math.random() * (longestMs = Math.min(2 * longestMs, 30_000)));
  return untilItPasses(ask, isUnavailable, { rest });
}

/** Repeats a call only after a time-out, which a busy machine can cause. A broken connection rejects. */
const inItsOwnTime = <T>(ask: () => Promise<T>): Promise<T> =>
  untilItPasses(ask, (error) => {
    const { message, cause } = error as LogUnavailable;
    return message === 'the event log is too busy' || isSilence(cause ?? error);
  });

/** A real server where ESDB_URL names one, else the one that speaks its protocol. */
describeEventLog(
  process.env.ESDB_URL ? 'EventStoreDB' : "the log in EventStoreDB's protocol",
  async () => {
    const server = process.env.ESDB_URL ? null : await ProtocolServer.start();
    // A real server is shared, so this log keeps to itself there.
    const options = server
      ? { url: server.url }
      : { url: process.env.ESDB_URL!, prefix: `contract_${randomUUID().slice(0, 8)}` };
    const log = new PatientLog(options);
    const impatient = new EventStoreDbLog(options);
    return {
      log,
      reopen: async () => new PatientLog(options),
      ...(server && { silence: { log: impatient, begin: () => server.wire.freeze(), end: () => server.wire.thaw() } }),
      close: async () => {
        await Promise.all([log.close(), impatient.close()]);
        await server?.stop();
      },
    };
  },
  { runs: 10, hangs: !process.env.ESDB_URL },
);

describe('the log in EventStoreDB', () => {
  let server: ProtocolServer;
  let log: EventStoreDbLog;
  beforeEach(async () => {
    server = await ProtocolServer.start();
    log = new EventStoreDbLog({ url: server.url });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await log.close();
    await server.stop();
  });
  const readAll = (stream: string) => log.read(stream, { direction: 'forwards', limit: 1000 });
  /** Writes beside our log, as another application on the server does. */
  const write = (stream: string, count: number, bytes = 0) =>
    server.ledger.append(
      stream,
      'any',
      upTo(count).map((n) => ({
        id: randomUUID(),
        type: 'Counted',
        contentType: 'application/json',
        data: Buffer.from(JSON.stringify({ n, text: 'x'.repeat(bytes) })),
        metadata: Buffer.alloc(0),
      })),
    );
  /** Makes clocks jump, so that what takes long need not be waited for. */
  const later = (ms: number): void => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  };
  const failureOf = async (work: Promise<unknown>): Promise<LogUnavailable> => {
    const failure = await work.then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(LogUnavailable);
    return failure as LogUnavailable;
  };
  /** What a caller does: after an unknown outcome it looks into the stream, then sends the same again. */
  const appendUntilDone = async (
    to: EventStoreDbLog,
    stream: string,
    expected: number,
    events: NewEvent[],
  ): Promise<void> => {
    const { outcome } = await untilItPasses(() => to.append(stream, expected, events), isUnavailable);
    expect(outcome).toBe('appended');
  };

  describe('appending', () => {
    it('uses the call whose promises belong to one client, never the batch', async () => {
      await log.append(streamName(), NO_STREAM, someEvents(2));
      expect(server.calls).toMatchObject({ append: 1, batchAppend: 0, read: 0, features: 0 });
    });

    it('is not touched by the death of another server', async () => {
      const other = await ProtocolServer.start();
      const doomed = new EventStoreDbLog({ url: other.url });
      server.next('append', ...upTo(40).map((): Fault => ({ delayMs: 100 })));
      other.next('append', ...upTo(40).map((): Fault => 'hang'));
      const lost = upTo(40).map((n) =>
        doomed.append(streamName(), NO_STREAM, someEvents(1, n)).catch((error: unknown) => error),
      );
      const kept = upTo(40).map((n) => {
        const [stream, events] = [streamName(), someEvents(1, n)];
        return inItsOwnTime(() => log.append(stream, NO_STREAM, events));
      });
      await other.until(() => other.calls.append === 40);
      await other.kill();
      expect((await Promise.all(kept)).every((outcome) => outcome.outcome === 'appended')).toBe(true);
      for (const error of await Promise.all(lost))
        expect(error).toMatchObject({ name: 'LogUnavailable', outcomeUnknown: true });
      await doomed.close();
      await other.stop();
    });

    it('knows that nothing was stored where no server listens, or the server is not ready', async () => {
      const stream = streamName();
      server.next('append', 'not-ready');
      expect((await failureOf(log.append(stream, NO_STREAM, someEvents(1)))).outcomeUnknown).toBe(false);
      await server.kill();
      expect((await failureOf(log.append(stream, NO_STREAM, someEvents(1)))).outcomeUnknown).toBe(false);
      await server.restart();
      expect(await readAll(stream)).toEqual([]);
      expect(await log.append(stream, NO_STREAM, someEvents(1))).toMatchObject({ outcome: 'appended', already: false });
    });

    it.each<Fault>(['swallow-answer', 'cut-after', 'timeout-after'])(
      'does not know the outcome after %s, and finds the events when it asks again',
      async (fault) => {
        const [stream, events] = [streamName(), someEvents(3)];
        server.next('append', fault);
        const answered = failureOf(log.append(stream, NO_STREAM, events));
        expect(await settlesWithin(2000, answered)).toBe(true);
        expect((await answered).outcomeUnknown).toBe(true);
        const [, , last] = await readAll(stream);
        expect(await log.append(stream, NO_STREAM, events)).toEqual({
          outcome: 'appended',
          revision: 2,
          position: last!.position,
          already: true,
        });
        expect(await readAll(stream)).toHaveLength(3);
      },
    );

    it('knows a long append again by its ends: to read all of it may take longer than it has', async () => {
      const [stream, events] = [streamName(), someEvents(1_000)];
      // Slow machines are slow at each try.
      const append = () => answered(() => log.append(stream, NO_STREAM, events));
      const first = await append();
      const before = server.eventsRead;
      expect(await append()).toEqual({ ...first, already: true });
      // A try that found no time looks again.
      expect(server.eventsRead - before).toBeLessThan(events.length);
      const others = [...events.slice(0, -1), anEvent()];
      expect(await answered(() => log.append(stream, NO_STREAM, others))).toEqual({
        outcome: 'conflict',
        revision: 999,
      });
    });

    it.each<[Fault, isSlow: boolean]>([
      ['hang', true],
      ['unknown', false],
    ])(
      'does not claim to know the outcome after %s, and tells a slow server from a lost one',
      async (fault, isSlow) => {
        server.next('append', fault);
        const failure = await failureOf(log.append(streamName(), NO_STREAM, someEvents(1)));
        expect(failure.outcomeUnknown).toBe(true);
        expect(failure instanceof LogTooSlow).toBe(isSlow);
      },
    );

    it('tells a slow server from a lost one too where what a conflict met is not shown in time', async () => {
      const stream = streamName();
      write(stream, 1);
      server.streamReadsTakeMs = 3_000;
      const failure = await failureOf(log.append(stream, NO_STREAM, someEvents(1)));
      expect(failure.outcomeUnknown).toBe(true);
      expect(failure).toBeInstanceOf(LogTooSlow);
    });

    it('turns to the leader where it asked another node', async () => {
      const stream = streamName();
      server.next('append', 'not-leader');
      expect(await log.append(stream, NO_STREAM, someEvents(1))).toMatchObject({ outcome: 'appended', already: false });
      expect(server.calls.append).toBe(2);
    });

    it('finds the leader of a cluster, also after all its nodes were gone', async () => {
      const clustered = new EventStoreDbLog({ url: server.url.replace('?', ',127.0.0.1:1?') });
      const [stream, seen] = [streamName(), collector()];
      const subscription = clustered.subscribe({ after: BEGINNING, prefixes: [stream], onBatch: seen.onBatch });
      await clustered.append(stream, NO_STREAM, someEvents(1));
      await server.kill();
      await failureOf(clustered.append(stream, 0, someEvents(1, 1)));
      await server.restart();
      await appendUntilDone(clustered, stream, 0, someEvents(1, 1));
      await seen.until(() => seen.events.length === 2);
      expect(server.calls.gossip).toBeGreaterThan(0);
      await subscription.stop();
      await clustered.close();
    });

    it('says by whom a repeat was written, also to another process at the same time', async () => {
      const [stream, events, other] = [streamName(), someEvents(2), new EventStoreDbLog({ url: server.url })];
      const outcomes = await Promise.all(
        [log, other, log, other].map((each) => each.append(stream, NO_STREAM, events)),
      );
      expect(outcomes.filter((outcome) => outcome.outcome === 'appended' && !outcome.already)).toHaveLength(1);
      expect(await readAll(stream)).toHaveLength(2);
      await other.close();
    });

    it('believes no conflict before reads show what it met', async () => {
      const [stream, events] = [streamName(), someEvents(2)];
      const accepted = new Promise<void>((resolve) => (server.ledger.inFlightMs = () => (resolve(), 60)));
      const equal = upTo(6).map(() => log.append(stream, NO_STREAM, events));
      await accepted;
      expect(await log.append(stream, NO_STREAM, someEvents(1))).toEqual({ outcome: 'conflict', revision: 1 });
      expect(await readAll(stream)).toHaveLength(2);
      for (const outcome of await Promise.all(equal))
        expect(outcome).toMatchObject({ outcome: 'appended', revision: 1 });
    });

    it('never takes a repeat for stored that is not there, as the server does after a soft deletion', async () => {
      const [stream, events] = [streamName(), someEvents(2)];
      await log.append(stream, NO_STREAM, events);
      server.ledger.delete(stream, 'any');
      const outcome = await log.append(stream, NO_STREAM, events);
      expect(outcome).toMatchObject({ outcome: 'appended', revision: 3, already: false });
      expect((await readAll(stream)).map((event) => event.id)).toEqual(events.map((event) => event.id));
    });

    it('stores at the current revision whatever it is given: the caller looks into the stream first', async () => {
      const [stream, events] = [streamName(), someEvents(1)];
      await log.append(stream, NO_STREAM, events);
      expect(await log.append(stream, 0, events)).toMatchObject({ outcome: 'appended', revision: 1, already: false });
    });

    it('goes through lanes: far more at a time than a connection carries', async () => {
      const streams = upTo(300).map(() => streamName());
      await Promise.all(streams.map((stream) => appendUntilDone(log, stream, NO_STREAM, someEvents(1))));
      // Not all at a time: beside a load the last would wait for longer than a reading may.
      for (const stream of streams) expect(await readAll(stream)).toHaveLength(1);
    });

    it('refuses what waits too long for a lane, knowing that it was not sent', async () => {
      server.next('append', ...upTo(48).map((): Fault => 'hang'));
      const hanging = upTo(48).map(() => failureOf(log.append(streamName(), NO_STREAM, someEvents(1))));
      const waiting = upTo(5).map(() => failureOf(log.append(streamName(), NO_STREAM, someEvents(1))));
      expect((await Promise.all(waiting)).map((failure) => failure.outcomeUnknown)).toEqual(upTo(5).map(() => false));
      expect((await Promise.all(hanging)).every((failure) => failure.outcomeUnknown)).toBe(true);
      expect(server.calls.append).toBe(48);
    });

    it('sends nothing whose turn comes when hardly any time is left, as on a machine that is too slow', async () => {
      server.next('append', ...upTo(47).map((): Fault => 'swallow-answer'), 'not-ready');
      const sent = upTo(47).map(() => failureOf(log.append(streamName(), NO_STREAM, someEvents(1))));
      await server.until(() => server.calls.append === 47);
      sent.push(failureOf(log.append(streamName(), NO_STREAM, someEvents(1))));
      const late = log.append(streamName(), NO_STREAM, someEvents(1));
      later(1400);
      expect((await failureOf(late)).outcomeUnknown).toBe(false);
      expect(server.calls.append).toBe(48);
      await Promise.all(sent);
    });

    it('stores all events of an append or none, also where this process lags while it sends them', async () => {
      const [stream, events] = [streamName(), someEvents(1000)];
      // From the first turn of the event loop that sending takes to the last: it takes several, however fast the machine.
      const lags = setInterval(() => {
        for (const until = performance.now() + 400; performance.now() < until;);
      });
      const late = failureOf(log.append(stream, NO_STREAM, events)).finally(() => clearInterval(lags));
      expect(await late).toMatchObject({ name: 'LogUnavailable' });
      await appendUntilDone(log, stream, NO_STREAM, events);
      expect(server.ledger.all.filter((event) => event.stream === stream)).toHaveLength(1000);
    });

    it('ends a stream that was never written to', async () => {
      const stream = streamName();
      await log.tombstone(stream);
      expect(await log.append(stream, NO_STREAM, someEvents(1))).toEqual({ outcome: 'deleted' });
    });

    it('needs credentials where TLS is on: without them the client shares its promises between clients', () => {
      expect(() => new EventStoreDbLog({ url: 'esdb://example.com:2113' })).toThrow(TypeError);
      expect(() => new EventStoreDbLog({ url: 'esdb://admin:p%40ss@example.com:2113' })).not.toThrow();
    });
  });

  describe('sharing the server with other installations', () => {
    const prefixes = ['shop', 'shop_eu', ''] as const;
    const stream = 'site-shop';

    it('has streams of its own, whatever others call theirs', async () => {
      const installations = prefixes.map((prefix) => new EventStoreDbLog({ url: server.url, prefix }));
      for (const [n, each] of installations.entries()) {
        const appended = await each.append(stream, NO_STREAM, [anEvent('Counted', { n })]);
        expect(appended).toMatchObject({ outcome: 'appended', revision: 0 });
      }
      const named = server.ledger.all.slice(-3).map((event) => event.stream);
      expect(named).toEqual(['shop.site-shop', 'shop_eu.site-shop', stream]);
      await installations[1]!.tombstone(stream);
      const held = await Promise.all(
        installations.map((each) => each.read(stream, { direction: 'forwards', limit: 10 })),
      );
      expect(held.map(numbers)).toEqual([[0], [], [2]]);
      expect(held[0]![0]!.stream).toBe(stream);
      await Promise.all(installations.map((each) => each.close()));
    });

    it.each([[['site-']], [[]]])('is sent nothing of them where %j is wanted, and moves on past it', async (wanted) => {
      const [mine, others] = ['shop', 'shop_eu'].map((prefix) => new EventStoreDbLog({ url: server.url, prefix }));
      const seen = collector();
      const subscription = mine!.subscribe({ after: BEGINNING, prefixes: wanted, onBatch: seen.onBatch });
      for (const n of upTo(5)) {
        await mine!.append(stream, n - 1, [anEvent('Counted', { n })]);
        // More than the server looks at between two checkpoints.
        await others!.append(stream, 100 * n - 1, someEvents(100, 1000));
      }
      const head = await mine!.head();
      await seen.until(() => seen.through() >= head);
      expect(numbers(seen.events)).toEqual(upTo(5));
      expect(new Set(seen.events.map((event) => event.stream))).toEqual(new Set([stream]));
      expect(server.eventsSent).toBeLessThanOrEqual(5);
      await subscription.stop();
      await Promise.all([mine!.close(), others!.close()]);
    });

    it('sees none of those that have a prefix where it has none, although it is sent them', async () => {
      const other = new EventStoreDbLog({ url: server.url, prefix: 'shop' });
      const seen = collector();
      const subscription = log.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
      await other.append(stream, NO_STREAM, someEvents(3));
      await log.append(stream, NO_STREAM, [anEvent('Counted', { n: 7 })]);
      const head = await log.head();
      await seen.until(() => seen.through() >= head);
      expect(numbers(seen.events)).toEqual([7]);
      await subscription.stop();
      await other.close();
    });
  });

  describe('reading', () => {
    it('answers within its time where the server hangs', async () => {
      server.next('read', 'hang');
      const failure = await failureOf(readAll(streamName()));
      expect(failure).toBeInstanceOf(LogTooSlow);
      expect(failure.outcomeUnknown).toBe(false);
      expect(await readAll(streamName())).toEqual([]);
    });

    it('refuses a call at once that has no time left when its turn comes', async () => {
      server.streamReadsTakeMs = 10_000;
      const reads = Promise.all(upTo(100).map(() => failureOf(readAll(streamName()))));
      const refusedInTime = settlesWithin(READ_MS_MAX + 50, reads);
      // All are late together where the process lags at the end of their time.
      await pause(READ_MS_MAX - 200);
      for (const until = performance.now() + 600; performance.now() < until;);
      expect(await refusedInTime).toBe(true);
      expect(server.calls.read).toBeLessThanOrEqual(40);
    });

    it('turns to the leader where it asked another node', async () => {
      server.next('read', 'not-leader');
      expect(await readAll(streamName())).toEqual([]);
      expect(server.calls.read).toBe(2);
    });

    it('says where the log ends, and what stands there, although as many reads wait as may', async () => {
      const last = streamName();
      write(last, 1);
      const end = server.ledger.all.at(-1)!.position;
      server.streamReadsTakeMs = 3_000;
      // As many as run at a time, and as many as may wait for them.
      const reads = upTo(40 + 2_000).map(() => failureOf(readAll(streamName())));
      const looks = Promise.all([log.head(), log.at(end), log.at(end - 1n)]);
      expect((await failureOf(readAll(streamName()))).message).toBe('too much is waiting for the event log');
      expect(await looks).toEqual([end, expect.objectContaining({ stream: last, position: end }), null]);
      await Promise.all(reads);
    });

    it("reads events that others wrote, by the server's own id", async () => {
      const stream = streamName();
      write(stream, 1);
      const [event] = await readAll(stream);
      expect(event).toMatchObject({
        stream,
        revision: 0,
        type: 'Counted',
        metadata: {},
        id: server.ledger.all.at(-1)!.id,
      });
    });
  });

  describe('subscribing', () => {
    it('goes on after its connection was cut, with nothing lost and nothing twice', async () => {
      const prefix = streamName();
      const seen = collector();
      const subscription = log.subscribe({ after: await log.head(), prefixes: [prefix], onBatch: seen.onBatch });
      for (const n of upTo(5)) {
        await server.until(() => server.openSubscriptions === 1);
        await appendUntilDone(log, `${prefix}-${n}`, NO_STREAM, [anEvent('Counted', { n: 2 * n })]);
        server.wire.cut();
        await appendUntilDone(log, `${prefix}-${n}`, 0, [anEvent('Counted', { n: 2 * n + 1 })]);
      }
      await seen.until(() => seen.events.length >= 10);
      expect(numbers(seen.events)).toEqual(upTo(10));
      await subscription.stop();
    });

    it('goes on while the server is killed and comes back from its file, writers retrying', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'assent-esdb-'));
      const mortal = await ProtocolServer.start({ file: join(folder, 'log.jsonl') });
      const [writer, reader] = [new EventStoreDbLog({ url: mortal.url }), new EventStoreDbLog({ url: mortal.url })];
      const prefix = streamName();
      const seen = collector();
      const subscription = reader.subscribe({ after: BEGINNING, prefixes: [prefix], onBatch: seen.onBatch });
      const writing = Promise.all(
        upTo(8).map(async (stream) => {
          for (const n of upTo(25))
            await appendUntilDone(writer, `${prefix}-${stream}`, n - 1, [anEvent('Counted', { n })]);
        }),
      );
      for (const events of [40, 80, 120]) {
        await seen.until(() => seen.events.length >= events);
        await mortal.kill();
        await mortal.restart();
      }
      await writing;
      await seen.until(() => seen.events.length >= 200);
      expect(seen.events).toHaveLength(200);
      for (const stream of upTo(8))
        expect(numbers(seen.events.filter((event) => event.stream === `${prefix}-${stream}`))).toEqual(upTo(25));
      await subscription.stop();
      await Promise.all([writer.close(), reader.close()]);
      await mortal.stop();
      rmSync(folder, { recursive: true });
    });

    it('starts although the server does not, and begins when it does', async () => {
      const stream = streamName();
      write(stream, 3);
      await server.kill();
      const seen = collector();
      const subscription = log.subscribe({ after: BEGINNING, prefixes: [stream], onBatch: seen.onBatch });
      await failureOf(log.head());
      server.notReady = true;
      await server.restart();
      await server.until(() => server.calls.subscribe > 1);
      server.notReady = false;
      await seen.until(() => seen.events.length === 3);
      await subscription.stop();
    });

    it('finds out that it is connected and hears nothing, and begins again', async () => {
      const stream = streamName();
      const seen = collector();
      const subscription = log.subscribe({ after: await log.head(), prefixes: [stream], onBatch: seen.onBatch });
      await server.until(() => server.openSubscriptions === 1);
      server.stallSubscriptions();
      write(stream, 2);
      const before = server.calls.read;
      // A look: where the log ends, then what is there.
      await server.until(() => server.calls.read >= before + 4);
      expect(seen.events).toEqual([]);
      later(5000);
      await seen.until(() => seen.events.length === 2);
      expect(server.calls.subscribe).toBe(2);
      await subscription.stop();
    });

    it('delivers what comes while a look of its own into the log gets no answer', async () => {
      const [stream, seen] = [streamName(), collector()];
      const never = () => new Promise<never>(() => {});
      let looked = () => {};
      const hasLooked = new Promise<void>((resolve) => (looked = resolve));
      const subscription = new EventStoreDbSubscription(
        {
          connect: () => new Connection(server.url, 'test'),
          credentials: {},
          names: new StreamNames(''),
          head: () => (looked(), never()),
          lookAfter: never,
        },
        { after: BEGINNING, prefixes: [stream], onBatch: seen.onBatch },
        () => undefined,
      );
      await hasLooked;
      write(stream, 1);
      await seen.until(() => seen.events.length === 1);
      await subscription.stop();
    });

    it('moves on past a few unwanted events while nothing else happens', async () => {
      const seen = collector();
      const subscription = log.subscribe({
        after: await log.head(),
        prefixes: [streamName('wanted')],
        onBatch: seen.onBatch,
      });
      for (const n of upTo(2)) {
        write(streamName('unwanted'), 1 + n);
        const head = await log.head();
        // By a look of its own; the server's next checkpoint is a whole window of events away.
        await seen.until(() => seen.through() >= head);
      }
      await subscription.stop();
    });

    it('does not move past a wanted event that has not come, although it sees it in the log', async () => {
      const stream = streamName('wanted');
      const seen = collector();
      const subscription = log.subscribe({ after: await log.head(), prefixes: [stream], onBatch: seen.onBatch });
      await server.until(() => server.openSubscriptions === 1);
      server.stallSubscriptions();
      write(streamName('unwanted'), 3);
      const clear = await log.head();
      write(stream, 1);
      write(streamName('unwanted'), 3);
      await seen.until(() => seen.through() >= clear);
      const before = server.calls.read;
      await server.until(() => server.calls.read >= before + 4);
      expect(seen.through()).toBe(clear);
      later(5000);
      await seen.until(() => seen.events.length === 1);
      await subscription.stop();
    });

    it('never keeps the end of everything as its position, and accepts a second message that it caught up', async () => {
      server.reportsEndPosition = true;
      server.caughtUpTimes = 3;
      const stream = streamName();
      write(streamName('other'), 10);
      const seen = collector();
      const subscription = log.subscribe({ after: BEGINNING, prefixes: [stream], onBatch: seen.onBatch });
      const head = await log.head();
      await seen.until(() => seen.through() >= head);
      server.wire.cut();
      write(stream, 2);
      await seen.until(() => seen.events.length === 2);
      expect(seen.batches.every(({ through }) => through < END_POSITION)).toBe(true);
      expect(seen.events).toHaveLength(2);
      await subscription.stop();
    });

    it('moves on by checkpoints where nothing matches, and takes such a position up again', async () => {
      for (const _ of upTo(20)) write(streamName('other'), 100);
      const stream = streamName();
      const seen = collector();
      const first = log.subscribe({ after: BEGINNING, prefixes: [stream], onBatch: seen.onBatch });
      await seen.until(() => seen.through() > 100_000n);
      await first.stop();
      write(stream, 1);
      const again = collector();
      const second = log.subscribe({ after: seen.through(), prefixes: [stream], onBatch: again.onBatch });
      await again.until(() => again.events.length === 1);
      await second.stop();
      expect(again.batches.every(({ through }) => through > seen.through())).toBe(true);
    });

    it.each<[string, (head: Position) => Position]>([
      ['another log', (head) => head - 1n],
      ['the log of an older backup', (head) => head + 1_000_000n],
    ])('reports a position of %s instead of waiting for ever', async (_, foreign) => {
      write(streamName(), 5);
      const after = foreign(await log.head());
      const failures: unknown[] = [];
      const failed = (error: unknown) => void failures.push(error);
      log.subscribe({ after, prefixes: [], onBatch: async () => undefined, failed });
      // The second look: the first has noted when it began.
      await until(() => server.calls.read >= 3 || failures.length > 0);
      later(11_000);
      await until(() => failures.length > 0);
      expect(String(failures[0])).toMatch(/position/);
    });

    it('takes what is old in whole batches, and holds nothing back that comes once it has caught up', async () => {
      const [stream, seen] = [streamName(), collector()];
      write(stream, 1750);
      // The time for which a batch may wait for more never ends, however slow this machine is.
      const now = performance.now();
      jest.spyOn(performance, 'now').mockReturnValue(now);
      const subscription = log.subscribe({
        after: BEGINNING,
        prefixes: [stream],
        batchSize: 1000,
        onBatch: seen.onBatch,
      });
      const sizes = () => seen.batches.map(({ size }) => size).filter((size) => size > 0);
      await seen.until(() => seen.events.length === 1750);
      expect(sizes()).toEqual([500, 500, 500, 250]);
      write(stream, 1);
      await seen.until(() => seen.events.length === 1751);
      expect(sizes()).toEqual([500, 500, 500, 250, 1]);
      expect(numbers(seen.events)).toEqual([...upTo(1750), 0]);
      await subscription.stop();
    });

    it('delivers what is less than a batch also where the server never says that it has caught up', async () => {
      server.caughtUpTimes = 0;
      const [stream, seen] = [streamName(), collector()];
      write(stream, 3);
      const subscription = log.subscribe({ after: BEGINNING, prefixes: [stream], onBatch: seen.onBatch });
      await seen.until(() => seen.events.length === 3);
      write(stream, 1);
      await seen.until(() => seen.events.length === 4);
      await subscription.stop();
    });

    it('makes the server wait while its handler does', async () => {
      const stream = streamName();
      for (const _ of upTo(40)) write(stream, 100, 1000);
      const seen = collector();
      let release = () => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      const subscription = log.subscribe({
        after: BEGINNING,
        prefixes: [stream],
        batchSize: 100,
        onBatch: async (events, through) => {
          await gate;
          await seen.onBatch(events, through);
        },
      });
      await server.until(() => server.openSubscriptions === 1);
      for (let sent = -1; sent !== server.eventsSent;) {
        sent = server.eventsSent;
        for (const _ of upTo(20)) await log.head();
      }
      expect(server.eventsSent).toBeLessThan(1500);
      release();
      await seen.until(() => seen.events.length === 4000);
      await subscription.stop();
    });

    it("leaves out the server's own events", async () => {
      const [stream, seen] = [streamName(), collector()];
      await log.append(stream, NO_STREAM, someEvents(1));
      server.ledger.delete(stream, 'any');
      await log.tombstone(stream);
      const all = log.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
      const head = await log.head();
      await seen.until(() => seen.through() >= head);
      expect(seen.events.map((event) => event.type)).toEqual(['Counted']);
      await all.stop();
    });
  });

  describe('closing', () => {
    it('ends although nothing passes on the wire any more', async () => {
      const [stuck, seen] = [new EventStoreDbLog({ url: server.url }), collector()];
      stuck.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
      await stuck.append(streamName(), NO_STREAM, someEvents(1));
      server.wire.freeze();
      const left = [
        failureOf(stuck.append(streamName(), NO_STREAM, someEvents(1))),
        failureOf(stuck.read(streamName(), { direction: 'forwards', limit: 1 })),
      ];
      expect(await settlesWithin(6000, Promise.all([stuck.close(), ...left]))).toBe(true);
      server.wire.thaw();
      expect((await failureOf(stuck.head())).outcomeUnknown).toBe(false);
    });
  });
});
