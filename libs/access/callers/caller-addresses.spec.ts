import type { Socket } from 'node:net';
import { CallerAddresses } from './caller-addresses.js';
import { trustedProxies } from './client-address.js';

const connection = (remoteAddress: string | undefined): Socket => ({ remoteAddress }) as Socket;
const request = (socket: Socket, forwardedFor?: string) => ({
  socket,
  headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
});

describe('where calls come from', () => {
  const addresses = new CallerAddresses(trustedProxies(['10.0.0.0/8']), 'salt');
  const textOf = (socket: Socket, forwardedFor?: string) => addresses.of(request(socket, forwardedFor)).text;

  it('is the other end of the connection, the same for all of its requests', () => {
    const socket = connection('::ffff:203.0.113.7');
    expect([textOf(socket), textOf(socket, '198.51.100.1'), textOf(socket)]).toEqual(new Array(3).fill('203.0.113.7'));
  });

  it('comes from a trusted proxy, for each request of one connection by itself', () => {
    const proxy = connection('10.1.2.3');
    expect(textOf(proxy, '203.0.113.7')).toBe('203.0.113.7');
    expect(textOf(proxy, '198.51.100.1')).toBe('198.51.100.1');
    expect(textOf(proxy)).toBe('10.1.2.3');
  });

  it('is looked for again where a connection did not tell', () => {
    const socket = connection(undefined);
    expect(textOf(socket)).toBeNull();
    Object.assign(socket, { remoteAddress: '203.0.113.7' });
    expect(textOf(socket)).toBe('203.0.113.7');
  });

  it('is counted by a hash that names the address and the salt, and is no address', () => {
    const countedOf = (address: string, salt = 'salt') =>
      new CallerAddresses(trustedProxies([]), salt).of(request(connection(address))).counted;
    expect(countedOf('203.0.113.7')).toBe(countedOf('::ffff:203.0.113.7'));
    expect(countedOf('203.0.113.7')).not.toBe(countedOf('203.0.113.8'));
    expect(countedOf('203.0.113.7')).not.toBe(countedOf('203.0.113.7', 'pepper'));
    expect(countedOf('203.0.113.7')).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(countedOf('2001:db8:1:2::1')).toBe(countedOf('2001:db8:1:2::ffff'));
  });
});
