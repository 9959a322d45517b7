import { describe, expect, it } from '@jest/globals';
import { hasGpc } from './gpc.js';

describe('Global Privacy Control', () => {
  it.each(['1', ' 1\t', '1, 1', '1,1', '0, 1', '1, 0', ', 1', 'true, 1', ['1', '1'], ['0', '1']])('is in %j', (sent) =>
    expect(hasGpc({ 'sec-gpc': sent })).toBe(true),
  );

  it.each([undefined, '', '0', '0, 0', '11', '01', '1.0', 'true', '?1', '"1"', '1;q=1', '1 1', ','])(
    'is not in %j',
    (sent) => expect(hasGpc({ 'sec-gpc': sent })).toBe(false),
  );
});
