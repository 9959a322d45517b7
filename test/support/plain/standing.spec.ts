import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
// @ts-expect-error Plain JavaScript, like jest, which it is a part of.
import { Standing as Plain } from './standing.mjs';

interface Standing {
  left(): string[];
  stillOpen(patienceMs?: number): Promise<string[]>;
  putBack(): void;
}
const Standing = Plain as new () => Standing;

describe('what a spec leaves behind for those after it', () => {
  let before: Standing;
  beforeEach(() => {
    before = new Standing();
  });
  afterEach(() => before.putBack());

  it('is nothing where it put everything back', () => {
    const folder = process.cwd();
    process.env['ASSENT_LEFT'] = 'x';
    process.chdir(tmpdir());
    jest.spyOn(Date, 'now').mockReturnValue(0);
    jest.spyOn(performance, 'now').mockReturnValue(0);
    jest.useFakeTimers();
    delete process.env['ASSENT_LEFT'];
    process.chdir(folder);
    jest.useRealTimers();
    jest.restoreAllMocks();
    // What Node loads at its first use is no change of the spec.
    expect(new Blob([])).toBeInstanceOf(Blob);
    expect(before.left()).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['process.env.ASSENT_LEFT', () => (process.env['ASSENT_LEFT'] = 'x')],
    ['process.env.TZ', () => (process.env['TZ'] = 'Asia/Tokyo')],
    ['globalThis.fetch', () => Object.assign(globalThis, { fetch: listener })],
    ['Math.random', () => Object.assign(Math, { random: () => 0 })],
    ['globalThis.setTimeout', () => jest.useFakeTimers()],
    ['Date.now', () => jest.spyOn(Date, 'now').mockReturnValue(0)],
    ['performance.now', () => jest.spyOn(performance, 'now').mockReturnValue(0)],
    ['the folder of the process', () => process.chdir(tmpdir())],
    ['a listener for SIGUSR2 of the process', () => process.on('SIGUSR2', listener)],
  ])('is %s, and can be put back', (what, leave) => {
    leave();
    expect(before.left()).toContain(what);
    jest.useRealTimers();
    before.putBack();
    expect(before.left()).toEqual([]);
  });

  it('is what it has not closed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await before.stillOpen(20)).toContain('1 TCPServerWrap, still open');
    server.close();
    expect((await before.stillOpen()).filter((each) => each.includes('TCPServer'))).toEqual([]);
  });

  it('is a connection, named by its ends', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    const [[held]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    const left = await before.stillOpen(20);
    expect(left).toEqual(
      expect.arrayContaining([`connected: ${client.localPort} to ${port}, open, 0 bytes out, 0 in`]),
    );
    client.destroy();
    (held as Socket).destroy();
    server.close();
    expect((await before.stillOpen()).filter((each) => each.includes('TCP'))).toEqual([]);
  });
});

const listener = (): void => undefined;
