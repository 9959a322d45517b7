import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

it('says that Global Privacy Control is honoured, to everybody and on any page', async () => {
  const { status, headers, body } = await world.request('GET', '/.well-known/gpc.json', {
    key: null,
    headers: { Origin: 'https://other.example' },
  });
  expect([status, body]).toEqual([200, { gpc: true, lastUpdate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) }]);
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=86400',
  });
  // The day was there: another one would not be a date.
  expect(new Date(body['lastUpdate'] as string).toISOString().slice(0, 10)).toBe(body['lastUpdate']);
});
