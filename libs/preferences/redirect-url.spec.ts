import { redirectUrl, withStatus } from './redirect-url.js';

const DOMAINS = [
  'shop.example',
  '*.shops.example',
  'dev.example:8443',
  'xn--bcher-kva.example',
  '*.ports.example:444',
  '443.example:443',
];

const GOOD: [text: string, stored: string][] = [
  ['https://shop.example', 'https://shop.example/'],
  ['https://shop.example/', 'https://shop.example/'],
  ['https://shop.example/done?order=7#top', 'https://shop.example/done?order=7#top'],
  ['https://shop.example:443/done', 'https://shop.example/done'],
  ['HTTPS://SHOP.EXAMPLE/Done', 'https://shop.example/Done'],
  ['https://Shop.Example', 'https://shop.example/'],
  ['https://shop.example/a/../b', 'https://shop.example/b'],
  ['https://shop.example/%2e%2e/b', 'https://shop.example/b'],
  ['https://shop.example/?next=https://evil.example', 'https://shop.example/?next=https://evil.example'],
  ['https://shop.example/@evil.example', 'https://shop.example/@evil.example'],
  ['https://shop.example//evil.example', 'https://shop.example//evil.example'],
  ['https://shop.example?x=1', 'https://shop.example/?x=1'],
  ['https://shop.example#x', 'https://shop.example/#x'],
  ['https://a.shops.example/x', 'https://a.shops.example/x'],
  ['https://a.b.shops.example/x', 'https://a.b.shops.example/x'],
  ['https://dev.example:8443/x', 'https://dev.example:8443/x'],
  ['https://a.ports.example:444/', 'https://a.ports.example:444/'],
  ['https://443.example/', 'https://443.example/'],
  ['https://bücher.example/käse', 'https://xn--bcher-kva.example/k%C3%A4se'],
  ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
];

const HOSTILE = [
  '',
  ' ',
  '/',
  '/done',
  'done',
  '?x',
  '#x',
  '//shop.example',
  '//evil.example',
  '///evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  'http://shop.example',
  'http://shop.example:443',
  'ftp://shop.example',
  'ws://shop.example',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'javascript://shop.example/%0aalert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://shop.example/1',
  'about:blank',
  'mailto:ada@shop.example',
  'view-source:https://shop.example',
  'https:evil.example',
  'https:shop.example',
  'https:/shop.example',
  'https:///shop.example',
  'https:\\\\shop.example',
  'https:/\\shop.example',
  'https://',
  'https://?',
  'https://#',
  'https:// ',
  'https://.',
  'https://..',
  'https://*',
  'https://%',
  'https://evil.example',
  'https://evilshop.example',
  'https://shop.example.evil.example',
  'https://shop-example.evil.example',
  'https://shop.exampleevil',
  'https://hop.example',
  'https://example',
  'https://shop.example@evil.example',
  'https://shop.example:x@evil.example',
  'https://@shop.example',
  'https://:@shop.example',
  'https://user@shop.example',
  'https://user:pass@shop.example',
  'https://evil.example@shop.example',
  'https://shop.example%40evil.example',
  'https://evil.example\\@shop.example',
  'https://evil.example/\\@shop.example',
  'https://shop.example\\evil.example',
  'https://shop.example\\.evil.example',
  'https://evil.example#@shop.example',
  'https://evil.example?@shop.example',
  'https://evil.example;https://shop.example',
  ' https://shop.example',
  'https://shop.example ',
  '\thttps://shop.example',
  'https://shop.example\n',
  'ht\ntps://shop.example',
  'https://sh\top.example',
  'https://shop.example/\r\nSet-Cookie:x',
  'https://shop.example/a b',
  'https://shop.example/\u0000',
  'https://shop.example\u00a0.evil.example',
  'https://shop.example/\u202emoc',
  'https://shop\u200b.example',
  'https://shop\u00ad.example',
  'https://shop.example/\ufeff',
  'https://shop.example/\ud800',
  'https://shop%2eexample',
  'https://%73hop.example',
  'https://shop.example%00.evil.example',
  'https://shop.example%2f.evil.example',
  'https://shop.example%5c.evil.example',
  'https://shop.example%23.evil.example',
  'https://shop.example.',
  'https://shop.example..',
  'https://.shop.example',
  'https://shop..example',
  'https://shop.example.:443',
  'https://shop.example:444',
  'https://shop.example:80',
  'https://shop.example:0',
  'https://shop.example:8443',
  'https://shop.example:99999',
  'https://shop.example:443evil',
  'https://shop.example:-1',
  'https://dev.example',
  'https://dev.example:443',
  'https://dev.example:8444',
  'https://a.ports.example',
  'https://a.ports.example:443',
  'https://443.example:444',
  'https://shops.example',
  'https://.shops.example',
  'https://evilshops.example',
  'https://a.shops.example.evil.example',
  'https://a..shops.example',
  'https://a.shops.example:444',
  'https://*.shops.example',
  'https://shοp.example',
  'https://ѕhop.example',
  'https://xn--shp-3ve.example',
  'https://ｓｈｏｐ.example',
  'https://shop。example',
  'https://shop．example',
  'https://ⓢhop.example',
  'https://xn--shop-.example',
  'https://127.0.0.1',
  'https://localhost',
  'https://127.1',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://169.254.169.254',
  'https://0',
  'https://10.0.0.1',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://127.0.0.2',
  'http://127.1',
  'http://2130706433',
  'http://0x7f.1',
  'http://[::1]',
  'http://user@localhost',
  'http://localhost.',
  'http://127.0.0.1@evil.example',
  `https://shop.example/${'a'.repeat(2048)}`,
  `https://shop.example/${'ä'.repeat(700)}`,
];

describe('where a browser may be sent', () => {
  it.each(GOOD)('takes %s', (text, stored) => {
    expect(redirectUrl(text, DOMAINS, 'live')).toBe(stored);
    // What is stored is checked again when it is used.
    expect(redirectUrl(stored, DOMAINS, 'live')).toBe(stored);
  });

  it.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 80), text]))('refuses %s', (_, text) => {
    expect(redirectUrl(text, DOMAINS, 'live')).toBeNull();
    expect(redirectUrl(text, DOMAINS, 'test')).toBeNull();
  });

  it.each(['http://localhost/done', 'http://localhost:3000/done', 'http://127.0.0.1:4999/'])(
    'takes %s in test only',
    (text) => {
      expect(redirectUrl(text, [], 'test')).toBe(text);
      expect(redirectUrl(text, ['localhost', '127.0.0.1'], 'live')).toBeNull();
    },
  );

  it('takes nothing where the site has no domain', () =>
    expect(redirectUrl('https://shop.example/', [], 'live')).toBeNull());

  it('goes nowhere any more once the domain is the site’s no longer', () =>
    expect(redirectUrl('https://shop.example/', ['other.example'], 'live')).toBeNull());

  it('tells the page how it went, and changes nothing else of the address', () => {
    expect(withStatus('https://shop.example/', 'confirmed')).toBe('https://shop.example/?status=confirmed');
    expect(withStatus('https://shop.example/done?a=%2B+b&a=2#top', 'confirmed')).toBe(
      'https://shop.example/done?a=%2B+b&a=2&status=confirmed#top',
    );
  });
});
