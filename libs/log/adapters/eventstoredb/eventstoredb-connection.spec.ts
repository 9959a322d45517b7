import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { ProtocolServer } from '../../../../test/support/eventstoredb/protocol-server.js';
import { addressOf, Connection, credentialsOf } from './eventstoredb-connection.js';

/** What the client reads of an address: of an option that is there twice the last one counts. */
const optionsOf = (address: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?') + 1)));

describe('the address of a connection to EventStoreDB', () => {
  it('says what the URL does not: a frozen node is to be left soon, and no two connections are alike', () => {
    expect(optionsOf(addressOf('esdb://a:2113,b:2113?tls=false', 'assent-read', 7))).toEqual({
      tls: 'false',
      keepAliveInterval: '10000',
      keepAliveTimeout: '2007',
      gossipTimeout: '1',
      connectionName: 'assent-read',
      throwOnAppendFailure: 'true',
    });
    expect(addressOf(' esdb://a:2113/ ', 'n', 0)).toMatch(/^esdb:\/\/a:2113\?/);
  });

  it.each([
    ['keepAliveInterval=4000', { keepAliveInterval: '4000', keepAliveTimeout: '2007' }],
    ['KeepAliveTimeout=600', { keepAliveInterval: '10000', keepAliveTimeout: '607' }],
    ['keepAliveTimeout=-1', { keepAliveInterval: '10007', keepAliveTimeout: '-1' }],
    ['keepAliveInterval=-1', { keepAliveInterval: '-1', keepAliveTimeout: '2007' }],
    ['keepAliveInterval=-1&keepAliveTimeout=-1', { keepAliveInterval: '-1', keepAliveTimeout: '7' }],
    ['gossipTimeout=9', { gossipTimeout: '9' }],
    ['connectionName=ours', { connectionName: 'ours' }],
  ])('holds to %s', (said, options) => {
    expect(optionsOf(addressOf(`esdb://a:2113?${said}`, 'assent-read', 7))).toMatchObject(options);
  });
});

describe('a connection to EventStoreDB', () => {
  let server: ProtocolServer;
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  beforeEach(async () => {
    server = await ProtocolServer.start();
    unheard.length = 0;
    process.on('unhandledRejection', hear);
  });
  afterEach(async () => {
    process.off('unhandledRejection', hear);
    await server.stop();
  });

  const appending =
    ({ client }: Connection) =>
    (): Promise<unknown> =>
      client
        .appendToStream(`site-${randomUUID()}`, [jsonEvent({ type: 'Counted', data: {} })], {
          expectedRevision: NO_STREAM,
          credentials: credentialsOf(server.url),
          deadline: 60_000,
        })
        .catch((error: unknown) => error);

  /** One call stays open while another one makes the client give its channel up. */
  async function pendingOn(append: () => Promise<unknown>): Promise<{ pending: Promise<unknown> }> {
    server.next('append', 'swallow-answer', 'not-ready');
    const pending = append();
    await server.until(() => server.calls.append === 1);
    expect(await append()).toMatchObject({ type: 'unavailable' });
    return { pending };
  }

  it('leaves no unhandled error, which would end the process, where it is closed before its calls fail', async () => {
    const connection = new Connection(server.url, 'closed');
    const append = appending(connection);
    const { pending } = await pendingOn(append);
    await connection.close();
    server.wire.cut();
    expect(await pending).toMatchObject({ type: 'unavailable' });
    expect(await append()).toBeInstanceOf(Error);
    await pause(50);
    expect(unheard).toEqual([]);
  });

  it('leaves none where its calls fail while it looks for a node in vain', async () => {
    const connection = new Connection(`esdb://127.0.0.1:${server.wire.port},127.0.0.1:1?tls=false`, 'lost');
    const append = appending(connection);
    const { pending } = await pendingOn(append);
    await server.kill();
    const looking = append();
    expect(await pending).toMatchObject({ type: 'unavailable' });
    expect(await looking).toMatchObject({ message: expect.stringContaining('Failed to discover') });
    await pause(50);
    expect(unheard).toEqual([]);
    await connection.close();
  });

  it('closes every connection that it made, also where many calls fail at once and others begin meanwhile', async () => {
    const connection = new Connection(server.url, 'crowd');
    const append = appending(connection);
    const read = (): Promise<unknown> =>
      new Promise((resolve) => {
        const reading = connection.client.readAll({ maxCount: 1, deadline: 10_000 });
        reading.on('error', resolve).on('end', resolve).resume();
      });
    for (let round = 0; round < 20; round++) {
      const { append: appends, read: reads } = server.calls;
      server.next('append', ...Array.from({ length: 20 }, () => 'hang' as const));
      server.next('read', ...Array.from({ length: 20 }, () => 'hang' as const));
      const failing = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? read() : append()));
      await server.until(() => server.calls.append === appends + 20 && server.calls.read === reads + 20);
      server.wire.cut();
      await Promise.all(failing.map((each, i) => each.then(i % 3 === 0 ? read : append)));
    }
    await connection.close();
    for (let looks = 0; server.wire.connected > 0 && looks < 500; looks++) await pause(10);
    expect(server.wire.connected).toBe(0);
  });
});
