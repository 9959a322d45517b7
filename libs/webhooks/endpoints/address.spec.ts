import { describe, expect, it } from '@jest/globals';
import { faultOfTarget, faultOfUrl, networkOf, type AddressRules } from './address.js';

const STRICT: AddressRules = {
  allowed: [],
  ports: [],
  namedOnThisMachine: false,
  own: { host: 'consent.shop.example', ports: [4100], machine: ['192.168.1.5', 'fd00::5'] },
};
const INSIDE: AddressRules = {
  ...STRICT,
  allowed: ['10.1.0.0/16', '127.0.0.0/8', 'fd00:1::/32'].map((text) => networkOf(text)!),
};
const url = (text: string, rules = STRICT) => faultOfUrl(text, rules);
const target = (address: string, rules = STRICT) => faultOfTarget({ address, port: 443, isPlain: false }, rules);

/** An address of each range that is not public, and the edges of those that are easily missed. */
const NOT_PUBLIC = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.255', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1'],
  ...['192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '::2', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1'],
  ...[
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:53aa::1',
  ],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '2002:808:808::', '3fff::1', '5f00::1'],
  ...['4000::1', 'fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1'],
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
];
const PUBLIC_V6 = ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1'];

describe('an address that is about to be dialled', () => {
  it.each(NOT_PUBLIC)('%s is not public, nor as a literal in a URL', (address) => {
    expect(target(address)).toBe('NOT_PUBLIC');
    expect(url(`https://${address.includes(':') ? `[${address}]` : address}/hook`)).toBe('NOT_PUBLIC');
  });

  it.each([...PUBLIC, ...PUBLIC_V6])('%s is public', (address) => {
    expect(target(address)).toBeNull();
    expect(url(`https://${address.includes(':') ? `[${address}]` : address}/hook`)).toBeNull();
  });

  it.each(['', 'localhost', '1.1.1.1.1', 'fe80::1%eth0', '1.1.1.1/32', '::g'])('%j is none', (address) =>
    expect(target(address)).toBe('NOT_PUBLIC'),
  );

  it('is reached by https and at its ports only, unless the operator allows its network', () => {
    const dial = (address: string, port: number, isPlain: boolean, rules: AddressRules) =>
      faultOfTarget({ address, port, isPlain }, rules);
    expect(dial('8.8.8.8', 80, true, INSIDE)).toBe('NOT_HTTPS');
    expect(dial('8.8.8.8', 22, false, INSIDE)).toBe('PORT');
    expect(dial('8.8.8.8', 8443, false, STRICT)).toBeNull();
    expect(dial('8.8.8.8', 9443, false, { ...STRICT, ports: [9443] })).toBeNull();
    expect(dial('10.1.2.3', 3000, true, INSIDE)).toBeNull();
    expect(dial('::ffff:10.1.2.3', 3000, true, INSIDE)).toBeNull();
    expect(dial('fd00:1::5', 3000, true, INSIDE)).toBeNull();
    for (const outside of ['10.2.0.1', '192.168.0.1', 'fd00:2::1', '::10.1.2.3', '64:ff9b::a01:203'])
      expect([outside, dial(outside, 443, false, INSIDE)]).toEqual([outside, 'NOT_PUBLIC']);
  });
});

describe('the address of an endpoint', () => {
  it.each([
    'https://hooks.example/in?x=1',
    'https://hooks.example:8443/',
    'HTTPS://Hooks.Example/',
    'https://münchen.example/hook',
    'https://hooks.example./in',
  ])('%s is taken', (text) => expect(url(text)).toBeNull());

  it.each<[string, string]>([
    ['http://hooks.example/', 'NOT_HTTPS'],
    ['ftp://hooks.example/', 'NOT_A_URL'],
    ['https:hooks.example', 'NOT_A_URL'],
    ['//hooks.example/', 'NOT_A_URL'],
    ['hooks.example', 'NOT_A_URL'],
    ['https://', 'NOT_A_URL'],
    ['https://hooks.example\\@127.0.0.1/', 'NOT_A_URL'],
    ['https://hooks.example/\n', 'NOT_A_URL'],
    ['https://hooks\u200b.example/', 'NOT_A_URL'],
    ['https://hooks .example/', 'NOT_A_URL'],
    [`https://hooks.example/${'a'.repeat(2048)}`, 'NOT_A_URL'],
    ['https://user@hooks.example/', 'USER_INFO'],
    ['https://user:secret@hooks.example/', 'USER_INFO'],
    ['https://@hooks.example/', 'USER_INFO'],
    ['https://:@hooks.example/', 'USER_INFO'],
    ['https://hooks.example:22/', 'PORT'],
    ['https://hooks.example:0/', 'PORT'],
    ['https://consent.shop.example/', 'OWN_ADDRESS'],
    ['https://CONSENT.shop.example./', 'OWN_ADDRESS'],
    ['https://localhost/', 'LOCAL_NAME'],
    ['https://app.localhost/', 'LOCAL_NAME'],
    ['https://printer.local/', 'LOCAL_NAME'],
    ['https://metadata.google.internal/', 'LOCAL_NAME'],
    ['https://router.home.arpa/', 'LOCAL_NAME'],
    ['https://intranet/', 'LOCAL_NAME'],
    ['https://localhost.localdomain/', 'LOCAL_NAME'],
    ...['app.localhost', 'shop.local', 'hooks.internal', 'a.home.arpa', 'a.test', 'a.invalid', 'a.onion', 'a.alt'].map(
      (host): [string, string] => [`http://${host}:3000/`, 'LOCAL_NAME'],
    ),
    ...[
      'a.intranet',
      'a.private',
      'a.corp',
      'a.home',
      'a.lan',
      'HOOKS.Internal',
      'hooks.internal.',
      'hooks。local',
    ].map((host): [string, string] => [`https://${host}/`, 'LOCAL_NAME']),
  ])('%s is faulted: %s', (text, fault) => expect(url(text)).toBe(fault));

  /** Other ways to write loopback and the address of metadata. */
  it.each([
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '①②⑦.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '127.0.0.1.',
    '0',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:a9fe:a9fe]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::FFFF:127.0.0.1]',
  ])('a literal is seen through: %s', (host) => expect(url(`https://${host}/`)).toBe('NOT_PUBLIC'));

  it('may be inside where the operator allows a network, and a name is then judged by what it resolves to', () => {
    expect(url('http://127.0.0.1:3000/hook', INSIDE)).toBeNull();
    expect(url('http://10.2.0.1/', INSIDE)).toBe('NOT_PUBLIC');
    expect(url('http://localhost:3000/', INSIDE)).toBeNull();
    expect(url('http://hooks.internal:3000/', INSIDE)).toBeNull();
    expect(url('http://receiver:3000/', INSIDE)).toBeNull();
    expect(url('http://8.8.8.8/', INSIDE)).toBe('NOT_HTTPS');
    expect(url('https://consent.shop.example/', INSIDE)).toBe('OWN_ADDRESS');
    expect(url('https://user@10.1.0.1/', INSIDE)).toBe('USER_INFO');
  });
});

describe('this machine', () => {
  const loopback = { ...STRICT, allowed: ['127.0.0.0/8', '::1/128'].map((text) => networkOf(text)!) };
  const named = { ...STRICT, namedOnThisMachine: true, ports: [3000] };
  const all = { ...STRICT, allowed: ['0.0.0.0/0', '::/0'].map((text) => networkOf(text)!) };

  /** Each leads to the service itself where it stands before the port of the service. */
  it.each([
    ...['localhost', 'LOCALHOST.', 'shop.localhost', '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '0x7f.1'],
    ...['2130706433', '0177.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:2]', '0', '[::]'],
    ...['0.0.0.0', '[::ffff:0.0.0.0]', '192.168.1.5', '[::ffff:192.168.1.5]', '[fd00::5]'],
  ])('is not reached at the port of the service, whatever is allowed: %s', (host) => {
    for (const rules of [all, { ...named, allowed: all.allowed, ports: [4100] }])
      expect(url(`http://${host}:4100/`, rules)).toBe('OWN_ADDRESS');
    expect(url(`http://${host}:4101/`, all)).toBeNull();
  });

  it('is seen through any name, when it is dialled', () => {
    for (const address of ['127.0.0.2', '::1', '::ffff:127.0.0.1', '0.0.0.0', '192.168.1.5'])
      expect([address, faultOfTarget({ address, port: 4100, isPlain: true }, all)]).toEqual([address, 'OWN_ADDRESS']);
  });

  it('is reached at the ports that are named and at no other, where only that is allowed', () => {
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.0.0.2', '[::1]', '[::ffff:127.0.0.1]']) {
      expect([host, url(`http://${host}:3000/`, named)]).toEqual([host, null]);
      for (const way of [`http://${host}/`, `https://${host}/`, `https://${host}:8443/`, `http://${host}:5432/`])
        expect([way, url(way, named)]).toEqual([way, 'LOCAL_PORT']);
    }
    expect(url('http://0.0.0.0:3000/', named)).toBe('NOT_PUBLIC');
    expect(url('http://192.168.1.5:3000/', named)).toBe('NOT_PUBLIC');
    expect(faultOfTarget({ address: '127.0.0.1', port: 5432, isPlain: true }, named)).toBe('LOCAL_PORT');
    // A name of the public may lead there, which is judged when it is dialled.
    expect(url('http://receiver.shop.example:3000/', named)).toBeNull();
  });

  it('is no reason to take names that only other networks know', () => {
    for (const rules of [loopback, named])
      for (const host of ['hooks.internal', 'printer.local', 'router.home.arpa', 'receiver'])
        expect([host, url(`http://${host}:3000/`, rules)]).toEqual([host, 'LOCAL_NAME']);
    expect(url('http://app.localhost:3000/', loopback)).toBeNull();
  });

  it('has no name where another network is allowed and it is not', () =>
    expect(url('http://localhost:3000/', { ...STRICT, allowed: [networkOf('10.0.0.0/8')!] })).toBe('LOCAL_NAME'));
});

describe('a network', () => {
  it.each(['10.0.0.0/8', '127.0.0.1/32', '::1/128', 'fd00::/8'])('%s', (text) =>
    expect(networkOf(text)).not.toBeNull(),
  );
  it.each(['', '10.0.0.0', '10.0.0.0/33', '10.0/8', '0x0a.0.0.0/8', 'fd00::/129', 'localhost/8', '10.0.0.0/8 '])(
    '%j is none',
    (text) => expect(networkOf(text)).toBeNull(),
  );
});
