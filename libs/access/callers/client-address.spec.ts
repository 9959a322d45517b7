import { clientAddress, countedAddress, trustedProxies, truncatedAddress } from './client-address.js';

const none = trustedProxies([]);
const proxies = trustedProxies(['10.0.0.0/8', '127.0.0.1', 'fd00::/8']);

describe('the address of a caller', () => {
  it.each([
    ['203.0.113.9', undefined, none, '203.0.113.9'],
    ['::ffff:203.0.113.9', undefined, none, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', none, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', proxies, '203.0.113.9'],
    ['10.1.2.3', '198.51.100.1', proxies, '198.51.100.1'],
    ['10.1.2.3', '198.51.100.1, 203.0.113.9', proxies, '203.0.113.9'],
    ['::ffff:10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9', proxies, '198.51.100.1'],
    ['fd00::1', '2001:db8::7', proxies, '2001:db8::7'],
    ['10.1.2.3', '', proxies, '10.1.2.3'],
    ['10.1.2.3', ' , ,', proxies, '10.1.2.3'],
    ['10.1.2.3', '10.5.5.5', proxies, '10.5.5.5'],
    ['fe80::1%eth0', undefined, none, 'fe80::1'],
    [undefined, '198.51.100.1', proxies, null],
    ['::ffff:a01:203', '198.51.100.1', proxies, '198.51.100.1'],
    ['::FFFF:CB00:7109', undefined, none, '203.0.113.9'],
    ['2001:0DB8:0:0:0:0:0:7', undefined, none, '2001:db8::7'],
  ])('peer %s, forwarded for %s', (peer, forwarded, trusted, expected) =>
    expect(clientAddress(peer, forwarded, trusted)).toBe(expected),
  );

  it.each([
    ['203.0.113.9:80', '203.0.113.9'],
    ['203.0.113.9:', '203.0.113.9'],
    ['"203.0.113.9:51234"', '203.0.113.9'],
    ['[203.0.113.9]:80', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:DB8:0::1]:443"', '2001:db8::1'],
    ['[2001:db8::1%eth0]:443', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1:443', '2001:db8::1'],
    ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9:4711 , 10.9.9.9:80', '203.0.113.9'],
    ['198.51.100.1:1,[2001:db8::1]:2,[fd00::7]:3', '2001:db8::1'],
    [',203.0.113.9:80,, ', '203.0.113.9'],
    ['203.0.113.9 ,', '203.0.113.9'],
  ])('is taken out of %j, which a proxy wrote', (forwarded, expected) =>
    expect(clientAddress('10.1.2.3', forwarded, proxies)).toBe(expected),
  );

  it.each([
    'unknown',
    '_hidden',
    '_hidden:80',
    'shop.example',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x7f.1',
    '[]',
    ':80',
  ])(
    'is not known where a proxy writes %j: neither the proxy nor what the caller wrote before is taken for it',
    (hop) => {
      expect(clientAddress('10.1.2.3', hop, proxies)).toBeNull();
      expect(clientAddress('10.1.2.3', `198.51.100.1, ${hop}`, proxies)).toBeNull();
      expect(clientAddress('10.1.2.3', `${hop}, 198.51.100.1`, proxies)).toBe('198.51.100.1');
    },
  );

  it('is cut to /24 or /48 before it is kept', () => {
    expect(truncatedAddress('203.0.113.97')).toBe('203.0.113.0');
    expect(truncatedAddress('2001:0db8:85a3:08d3:1319:8a2e:0370:7348')).toBe('2001:db8:85a3::');
    expect(truncatedAddress('2001:db8::1')).toBe('2001:db8::');
    expect(truncatedAddress('::1')).toBe('::');
    expect(truncatedAddress('64:ff9b::192.0.2.33')).toBe('64:ff9b::');
  });

  it('is counted whole, IPv6 by its /64', () => {
    expect(countedAddress('203.0.113.97')).toBe('203.0.113.97');
    expect(countedAddress('2001:db8:1:2:aaaa::1')).toBe(countedAddress('2001:db8:1:2::ffff'));
    expect(countedAddress('2001:db8:1:2::1')).not.toBe(countedAddress('2001:db8:1:3::1'));
  });

  it('refuses a range that is none, at start', () => {
    for (const range of ['10.0.0.0/33', 'proxy.local', '10.0.0.0/x', ''])
      expect(() => trustedProxies([range])).toThrow(RangeError);
  });
});
