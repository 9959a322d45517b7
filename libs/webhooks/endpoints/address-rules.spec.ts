import { describe, expect, it } from '@jest/globals';
import { faultOfTarget, faultOfUrl } from './address.js';
import { addressRules } from './address-rules.js';

const PUBLIC = { publicUrl: 'https://consent.example.com', port: 4100 };
const HERE = { publicUrl: 'http://127.0.0.1:4100', port: 4100 };
const none = { allow: [], ports: [], isBundled: false };

describe('where webhooks may be sent', () => {
  it('is to public receivers at the usual ports, unless the operator allows more', () => {
    const rules = addressRules(none, PUBLIC)('test');
    expect(faultOfUrl('https://hooks.example.org/x', rules)).toBeNull();
    expect(faultOfUrl('https://hooks.example.org:4443/x', rules)).toBe('PORT');
    expect(faultOfUrl('http://127.0.0.1:3000/', rules)).toBe('NOT_PUBLIC');
  });

  it('includes networks and ports that the operator names, in both environments', () => {
    const of = addressRules({ ...none, allow: ['10.1.0.0/16', 'fd00::/8'], ports: [4443] }, PUBLIC);
    for (const env of ['test', 'live'] as const) {
      expect(faultOfUrl('http://10.1.2.3:3000/', of(env))).toBeNull();
      expect(faultOfUrl('http://[fd00::1]/', of(env))).toBeNull();
      expect(faultOfUrl('http://10.2.2.3:3000/', of(env))).toBe('NOT_PUBLIC');
      expect(faultOfTarget({ address: '93.184.215.14', port: 4443, isPlain: false }, of(env))).toBeNull();
    }
  });

  it('includes this machine at the ports that are named, with the bundled database and in test only', () => {
    const of = addressRules({ ...none, ports: [3000], isBundled: true }, HERE);
    for (const url of ['http://localhost:3000/hook', 'http://127.0.0.1:3000/hook', 'http://[::1]:3000/hook']) {
      expect([url, faultOfUrl(url, of('test'))]).toEqual([url, null]);
      expect([url, faultOfUrl(url, of('live'))]).toEqual([url, expect.stringMatching(/LOCAL_NAME|NOT_PUBLIC/)]);
    }
    expect(faultOfUrl('http://127.0.0.1:3001/hook', of('test'))).toBe('LOCAL_PORT');
    expect(faultOfUrl('http://192.168.1.2:3000/', of('test'))).toBe('NOT_PUBLIC');
  });

  it('is never to the service itself: a public host at any port, this machine at its own', () => {
    const of = addressRules({ ...none, ports: [9443] }, { ...PUBLIC, publicUrl: 'https://consent.example.com:8443' });
    for (const port of ['', ':8443', ':9443'])
      expect(faultOfUrl(`https://CONSENT.example.com${port}/v1`, of('live'))).toBe('OWN_ADDRESS');
    expect(faultOfUrl('https://www.consent.example.com/', of('live'))).toBeNull();
    const here = addressRules({ ...none, ports: [80, 4100, 8080], isBundled: true }, HERE, [])('test');
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1'])
      expect([host, faultOfUrl(`http://${host}:4100/`, here)]).toEqual([host, 'OWN_ADDRESS']);
    // A proxy on this machine answers for the service at another port than it listens on.
    const behindProxy = addressRules(
      { ...none, allow: ['127.0.0.0/8'] },
      { publicUrl: 'http://localhost', port: 4100 },
    );
    for (const port of [80, 4100])
      expect(faultOfUrl(`http://127.0.0.1:${port}/`, behindProxy('live'))).toBe('OWN_ADDRESS');
    expect(faultOfUrl('http://127.0.0.1:8080/', behindProxy('live'))).toBeNull();
    const published = addressRules({ ...none, allow: ['127.0.0.0/8', '10.0.0.0/8'] }, PUBLIC, ['10.0.0.5'])('test');
    for (const host of ['127.0.0.3', '10.0.0.5'])
      expect([host, faultOfUrl(`http://${host}:4100/`, published)]).toEqual([host, 'OWN_ADDRESS']);
    expect(faultOfUrl('http://10.0.0.6:4100/', published)).toBeNull();
  });

  it('cannot be said of what is no network', () =>
    expect(() => addressRules({ ...none, allow: ['intranet'] }, PUBLIC)).toThrow('"intranet" is no network'));
});
