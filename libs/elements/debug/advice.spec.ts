import { expect, it } from '@jest/globals';
import { adviceOn } from './advice.js';

it.each([
  ['origin_not_allowed', /assent sites origins add https:\/\/shop\.example --site <site> --env live/],
  ['api_key_invalid', /data-key/],
  ['no_connection', /data-base-url/],
  ['page_failed', /console/],
])('%s: what to do', (code, advice) =>
  expect(adviceOn(code, { origin: 'https://shop.example', key: 'pk_live_x' })).toMatch(advice),
);

it('of what the service explains itself nothing is said', () =>
  expect(adviceOn('purpose_unknown', { origin: '', key: '' })).toBeNull());
