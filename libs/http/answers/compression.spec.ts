import { takesGzip } from './compression.js';

describe('gzip is taken', () => {
  it.each([
    'gzip',
    'GZIP',
    'x-gzip',
    'gzip, deflate, br, zstd',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    '*',
    'gzip;q=0.001',
    'identity;q=0, gzip',
    'identity;q=0.5, *;q=0.7',
    ' gzip ; q=1 ',
  ])('by %j', (accepted) => expect(takesGzip(accepted)).toBe(true));

  it.each([
    undefined,
    '',
    'identity',
    'br',
    'gzip;q=0',
    'gzip;q=0, *',
    '*;q=0',
    'gzip;q=x',
    'identity, gzip;q=0.5',
    'gzipped',
  ])('not by %j', (accepted) => expect(takesGzip(accepted)).toBe(false));
});
