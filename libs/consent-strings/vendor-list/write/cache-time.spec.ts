import { freshSeconds, retryAfterSeconds } from './cache-time.js';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const DAY = 86_400;

describe('how long an answer is used', () => {
  it.each<[headers: Record<string, string>, seconds: number]>([
    [{ 'cache-control': 'max-age=604800' }, 7 * DAY],
    [{ 'cache-control': 'public, Max-Age = "3600"' }, 3_600],
    [{ 'cache-control': 'max-age=3600', age: '600' }, 3_000],
    [{ 'cache-control': 'max-age=3600', age: 'x' }, 3_600],
    [{ 'cache-control': 'max-age=3600', expires: 'Tue, 24 Nov 2026 12:00:00 GMT' }, 3_600],
    [{ expires: 'Tue, 24 Nov 2026 12:00:00 GMT' }, DAY],
    [{ expires: 'Tue, 24 Nov 2026 12:00:00 GMT', date: 'Tue, 24 Nov 2026 11:00:00 GMT' }, 3_600],
    // Within bounds, whatever is said, and a day where nothing is.
    [{}, DAY],
    [{ 'cache-control': 's-maxage=5' }, DAY],
    [{ 'cache-control': 'max-age=99999999' }, 7 * DAY],
    [{ 'cache-control': 'max-age=5' }, 60],
    [{ 'cache-control': 'max-age=3600', age: '7200' }, 60],
    [{ 'cache-control': 'no-store, max-age=3600' }, 60],
    [{ 'cache-control': 'no-cache' }, 60],
    [{ expires: '0' }, 60],
    [{ expires: 'Sun, 22 Nov 2026 12:00:00 GMT' }, 60],
  ])('%j', (headers, seconds) => {
    expect(freshSeconds(headers, NOW)).toBe(seconds);
  });
});

describe('how long a server is left alone', () => {
  it.each<[said: string | undefined, seconds: number | null]>([
    [undefined, null],
    ['120', 120],
    [' 0 ', 0],
    ['9999999', DAY],
    ['Mon, 23 Nov 2026 12:10:00 GMT', 600],
    ['Mon, 23 Nov 2026 11:50:00 GMT', null],
    ['later', null],
  ])('%s', (said, seconds) => {
    expect(retryAfterSeconds(said === undefined ? {} : { 'retry-after': said }, NOW)).toBe(seconds);
  });
});
