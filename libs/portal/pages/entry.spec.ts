import { DEFAULT_SETTINGS, type SiteState } from '../../access/index.js';
import { portalOf, siteAt } from './entry.js';

const site = (name: string, domains: string[], live: string[] = [], test: string[] = []): SiteState => ({
  site: name,
  settings: { ...DEFAULT_SETTINGS, name, domains, allowedOrigins: { live, test } },
  keys: new Map(),
});
const SITES = [
  site('shop', ['shop.example', '*.shop.example']),
  site('press', ['www.press.example']),
  site('nowhere', []),
];

describe('the site that somebody comes from', () => {
  it.each([
    ['shop.example', 'shop'],
    [' Shop.Example. ', 'shop'],
    ['https://www.shop.example/cart?x=1#y', 'shop'],
    ['eu.shop.example', 'shop'],
    ['press.example', 'press'],
    ['http://www.press.example', 'press'],
  ])('is found by %s', (typed, found) => expect(siteAt(SITES, typed)?.site).toBe(found));

  it.each([
    '',
    ' ',
    'example',
    'evilshop.example',
    'shop.example.evil.example',
    'shop',
    'user@shop.example',
    '..',
    '%00',
  ])('is none for %j', (typed) => expect(siteAt(SITES, typed)).toBeNull());

  it('has its portal in live, unless it is only being tried', () => {
    expect(portalOf(site('shop', []))).toBe('/portal/shop/live');
    expect(portalOf(site('shop', [], [], ['http://localhost']))).toBe('/portal/shop/test');
    expect(portalOf(site('shop', [], ['https://shop.example'], ['http://localhost']))).toBe('/portal/shop/live');
  });
});
