import { describe, expect, it } from '@jest/globals';
import { domainsOf, namesOf, pathsOf } from './kept-on-device.js';

describe('an entry of the list of cookies', () => {
  const names = ['_stat', '_stat_id', '_ads.1', '_adsx', 'session'];

  it.each<['EXACT' | 'PREFIX' | 'GLOB', string, string[]]>([
    ['EXACT', '_stat', ['_stat']],
    ['PREFIX', '_stat', ['_stat', '_stat_id']],
    ['GLOB', '_ads.*', ['_ads.1']],
    ['GLOB', '*_id', ['_stat_id']],
    ['GLOB', '*', names],
  ])('%s %s', (match, name, found) => expect(namesOf({ match, name }, names)).toEqual(found));
});

it('a cookie may be of the host or of any domain above it', () => {
  expect(domainsOf('a.shop.example')).toEqual(['a.shop.example', 'shop.example', 'example']);
  expect(domainsOf('127.0.0.1')).toEqual(['127.0.0.1']);
});

it('a cookie may be of the path of the page or of any above it, with a slash at the end or without', () => {
  expect(pathsOf('/shop/cart.html')).toEqual(['/', '/shop', '/shop/', '/shop/cart.html', '/shop/cart.html/']);
  expect(pathsOf('/')).toEqual(['/']);
});
