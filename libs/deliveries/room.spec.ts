import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shareOut } from './room.js';

const wanted = fc.uniqueArray(fc.record({ endpoint: fc.string(), room: fc.integer({ min: -3, max: 20 }) }), {
  selector: ({ endpoint }) => endpoint,
});

describe('what is free', () => {
  it('is shared out as far as an endpoint wants it, and no endpoint gets more than that', () => {
    fc.assert(
      fc.property(fc.nat(100), wanted, fc.nat(50), (free, endpoints, turn) => {
        const shares = shareOut(free, endpoints, turn);
        const rooms = new Map(endpoints.map(({ endpoint, room }) => [endpoint, Math.max(0, room)]));
        for (const { endpoint, room } of shares) {
          expect(room).toBeGreaterThan(0);
          expect(room).toBeLessThanOrEqual(rooms.get(endpoint)!);
        }
        const all = [...rooms.values()].reduce((sum, room) => sum + room, 0);
        expect(shares.reduce((sum, { room }) => sum + room, 0)).toBe(Math.min(free, all));
      }),
    );
  });

  it('leaves no endpoint out as long as there is one for each, however much others want', () => {
    fc.assert(
      fc.property(wanted, fc.nat(50), (endpoints, turn) => {
        const hungry = endpoints.filter(({ room }) => room > 0);
        const shares = shareOut(hungry.length, endpoints, turn);
        expect(shares.map(({ endpoint }) => endpoint).sort()).toEqual(hungry.map(({ endpoint }) => endpoint).sort());
      }),
    );
  });

  it('goes to every endpoint in turn where there is too little', () => {
    const three = ['a', 'b', 'c'].map((endpoint) => ({ endpoint, room: 5 }));
    expect([0, 1, 2, 3].map((turn) => shareOut(1, three, turn)[0]!.endpoint)).toEqual(['a', 'b', 'c', 'a']);
  });
});
