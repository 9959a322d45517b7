import { startNameServer, type NameServer } from '../../../test/support/name-server.js';
import { startReceiver, type Receiver } from '../../../test/support/receiver.js';
import { settlesWithin, until } from '../../../test/support/timing.js';
import type { IsAllowed } from './judged-lookup.js';
import { Outbound, type Answer, type OutboundOptions } from './outbound.js';
import { resolver } from './resolve.js';

const LIMITS = { totalMs: 15_000, readBytes: 65_536, keptBytes: 100 };
/** All of 127.0.0.0/8 is this machine: one of its addresses stands for the world, and another for what is inside. */
const [OUTSIDE, INSIDE] = ['127.0.0.2', '127.0.0.1'];
const isOutside: IsAllowed = ({ address }) => address === OUTSIDE;
const isLocal = (host: string): boolean => host === 'localhost';

let names: NameServer;
let receiver: Receiver;
const outbounds: Outbound[] = [];
const stops: (() => Promise<void>)[] = [];
const outbound = (options: Partial<OutboundOptions> = {}): Outbound => {
  const made = new Outbound({ ...LIMITS, resolve: resolver({ isLocal, servers: [names.address] }), ...options });
  outbounds.push(made);
  return made;
};
const started = async (...args: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const made = await startReceiver(...args);
  stops.push(() => made.stop());
  return made;
};
const post = (to: Outbound, url: string, isAllowed: IsAllowed = () => true): Promise<Answer> =>
  to.post({ url: new URL(url), headers: {}, body: Buffer.from('{}'), isAllowed });

beforeEach(async () => {
  names = await startNameServer();
  receiver = await started();
});
afterEach(async () => {
  outbounds.splice(0).forEach((each) => each.close());
  await Promise.all([names.stop(), ...stops.splice(0).map((stop) => stop())]);
});

describe('the address that is judged', () => {
  let url: string;
  const dialled = (): string[] => receiver.connections.map(({ to }) => to);
  beforeEach(async () => {
    receiver = await started({ host: '0.0.0.0' });
    url = `http://hooks.example:${receiver.port}/thanks`;
  });

  it('is the one that is dialled, whatever the name server says a moment later', async () => {
    names.says('hooks.example', [OUTSIDE], [INSIDE]);
    const to = outbound({ ageMs: 0 });
    expect(await post(to, url, isOutside)).toMatchObject({ status: 200, fault: null });
    expect(names.asked.filter((question) => question.startsWith('A '))).toHaveLength(1);
    // The next connection is judged anew.
    expect(await post(to, url, isOutside)).toMatchObject({ status: null, fault: 'address_not_allowed' });
    expect(dialled()).toEqual([OUTSIDE]);
  });

  it('is any of several; those that are not allowed are passed over', async () => {
    names.says('hooks.example', [INSIDE, OUTSIDE, '::1']);
    const to = outbound({ ageMs: 0 });
    for (let i = 0; i < 3; i++) expect(await post(to, url, isOutside)).toMatchObject({ status: 200 });
    names.says('hooks.example', [INSIDE, '::1', '::ffff:127.0.0.1']);
    expect(await post(to, url, isOutside)).toMatchObject({ fault: 'address_not_allowed' });
    expect(dialled()).toEqual([OUTSIDE, OUTSIDE, OUTSIDE]);
  });

  it('is judged with port and scheme, for a literal too', async () => {
    const judged: object[] = [];
    const isAllowed: IsAllowed = (target) => judged.push(target) < 0;
    for (const each of ['http://127.1:4000/', 'https://127.0.0.1/', 'http://[::1]/'])
      expect(await post(outbound(), each, isAllowed)).toMatchObject({ status: null, fault: 'address_not_allowed' });
    names.says('hooks.example', [OUTSIDE]);
    expect(await post(outbound(), url, isAllowed)).toMatchObject({ fault: 'address_not_allowed' });
    expect(judged).toEqual([
      { address: '127.0.0.1', port: 4000, isPlain: true },
      { address: '127.0.0.1', port: 443, isPlain: false },
      { address: '::1', port: 80, isPlain: true },
      { address: OUTSIDE, port: receiver.port, isPlain: true },
    ]);
    expect(dialled()).toEqual([]);
  });

  it('of a connection that was kept is judged again', async () => {
    names.says('hooks.example', [OUTSIDE]);
    const to = outbound();
    expect(await post(to, url, isOutside)).toMatchObject({ status: 200 });
    await until(() => to.keptConnections === 1);
    expect(await post(to, url, () => false)).toMatchObject({ status: null, fault: 'address_not_allowed' });
    await until(() => receiver.connections.every(({ isOpen }) => !isOpen));
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a name', () => {
  const thanks = (host: string): string => `http://${host}:${receiver.port}/thanks`;

  it('without an address', async () => {
    names.says('hooks.example', []);
    expect(await post(outbound(), thanks('hooks.example'))).toMatchObject({ status: null, fault: 'host_not_found' });
  });

  it('that is local is asked of the system, and no name server hears of it', async () => {
    expect(await post(outbound(), thanks('localhost'))).toMatchObject({ status: 200 });
    expect(names.asked).toEqual([]);
  });

  it('that no name server knows may be one that the system does', async () => {
    const asksFirst = resolver({ isLocal: () => false, servers: [names.address] });
    expect(await post(outbound({ resolve: asksFirst }), thanks('localhost'))).toMatchObject({ status: 200 });
    expect([...names.asked].sort()).toEqual(['A localhost', 'AAAA localhost']);
  });

  it('is found without waiting for a name server that says nothing about IPv6', async () => {
    names.says('hooks.example', [INSIDE]);
    names.silentAbout('hooks.example', 'AAAA');
    expect(await post(outbound({ connectMs: 1_000 }), thanks('hooks.example'))).toMatchObject({ status: 200 });
  });

  it('whose name server is silent makes no other request wait', async () => {
    names.silentAbout('slow.example', 'A', 'AAAA');
    names.says('hooks.example', [INSIDE]);
    const to = outbound({ connectMs: 600 });
    const silent = Array.from({ length: 30 }, () => post(to, thanks('slow.example')));
    const healthy = post(to, thanks('hooks.example'));
    expect(await Promise.race([healthy, ...silent])).toMatchObject({ status: 200 });
    for (const each of await Promise.all(silent))
      expect(each).toMatchObject({ status: null, fault: 'connect_timed_out' });
  });
});

describe('connections', () => {
  const at = ({ url }: Receiver, path = '/thanks'): string => `${url}${path}`;
  const open = ({ connections }: Receiver): number => connections.filter(({ isOpen }) => isOpen).length;

  it('are used again', async () => {
    const to = outbound();
    for (let i = 0; i < 5; i++) expect(await post(to, at(receiver))).toMatchObject({ status: 200 });
    expect(receiver.connections.map(({ paths }) => paths.length)).toEqual([5]);
    to.close();
    await until(() => open(receiver) === 0);
    expect(to.keptConnections).toBe(0);
  });

  it('that the receiver has closed cost no attempt, also where it closes them while they are used', async () => {
    const to = outbound();
    for (let i = 0; i < 3; i++)
      expect(await post(to, at(receiver, '/resets-when-kept'))).toMatchObject({ status: 200 });
    // The first on its own; the others each on a kept one that was reset, and then on a new one.
    expect(receiver.connections.map(({ paths }) => paths.length)).toEqual([2, 2, 1]);
  });

  it('are kept up to so many for each receiver', async () => {
    const to = outbound({ perReceiver: 2 });
    await Promise.all(Array.from({ length: 6 }, () => post(to, at(receiver))));
    await until(() => open(receiver) === 2);
    await until(() => to.keptConnections === 2);
  });

  it('are kept up to so many in all: who was idle for longest makes room', async () => {
    const receivers = [receiver, await started(), await started()];
    const to = outbound({ inAll: 2 });
    for (const each of receivers) expect(await post(to, at(each))).toMatchObject({ status: 200 });
    await until(() => receivers.map(open).join() === '0,1,1');
    await until(() => to.keptConnections === 2);
    // In use again, so the other one is idle for longer.
    await post(to, at(receivers[1]!));
    await post(to, at(receivers[0]!));
    await until(() => receivers.map(open).join() === '1,1,0');
    expect(receivers.map(({ connections }) => connections.length)).toEqual([2, 1, 1]);
  });

  it('are closed when they were idle for long, and not kept when they are old', async () => {
    const to = outbound({ idleMs: 50 });
    await post(to, at(receiver));
    await until(() => open(receiver) === 0 && to.keptConnections === 0);
    const hasty = outbound({ ageMs: 0 });
    await post(hasty, at(receiver));
    await until(() => open(receiver) === 0);
    expect(hasty.keptConnections).toBe(0);
  });

  it('are as many as there are requests: none waits for a slow one at the same host', async () => {
    const to = outbound();
    const hanging = Array.from({ length: 20 }, () => {
      const ending = new AbortController();
      const url = new URL(at(receiver, '/hangs'));
      const { signal } = ending;
      return { ending, done: to.post({ url, headers: {}, body: Buffer.of(), isAllowed: () => true, signal }) };
    });
    await until(() => receiver.received.length === 20);
    expect(await post(to, at(receiver))).toMatchObject({ status: 200 });
    for (const { ending } of hanging) ending.abort();
    expect(await settlesWithin(5_000, Promise.all(hanging.map(({ done }) => done)))).toBe(true);
    await until(() => open(receiver) === 1);
  });
});
