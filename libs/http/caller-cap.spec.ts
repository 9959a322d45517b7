import { EventEmitter } from 'node:events';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { CallerCap } from './caller-cap.js';

/** Requests of some callers, two of each at once: which of them have begun, and how each is closed. */
function asked() {
  const cap = new CallerCap();
  const begun: string[] = [];
  const ask = async (caller: string, name: string, response: EventEmitter & { destroyed: boolean }): Promise<void> => {
    await cap.enter(caller, 2, response);
    begun.push(name);
  };
  return {
    cap,
    begun,
    send: (caller: string, name: string, destroyed = false) => {
      const response = Object.assign(new EventEmitter(), { destroyed });
      ask(caller, name, response).catch((error: unknown) => begun.push(String(error)));
      return async (): Promise<void> => {
        response.emit('close');
        await endOfTurn();
      };
    },
  };
}

describe('requests of one caller', () => {
  it('are worked on a few at a time, in the order in which they came', async () => {
    const { begun, send } = asked();
    const [a, b, c] = ['a', 'b', 'c', 'd', 'e'].map((name) => send('one', name));
    await endOfTurn();
    expect(begun).toEqual(['a', 'b']);
    await b!();
    expect(begun).toEqual(['a', 'b', 'c']);
    await a!();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await c!();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('keep no other caller waiting', async () => {
    const { begun, send } = asked();
    for (const name of ['a', 'b', 'c']) send('one', name);
    send('other', 'd');
    await endOfTurn();
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('lose their place in the line when they are closed', async () => {
    const { begun, send } = asked();
    const [a, , c] = ['a', 'b', 'c', 'd'].map((name) => send('one', name));
    await c!();
    expect(begun).toEqual(['a', 'b']);
    await a!();
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('that were closed before take no place', async () => {
    const { cap, begun, send } = asked();
    send('one', 'a', true);
    await endOfTurn();
    expect([begun, cap.size]).toEqual([[], 0]);
  });

  it('leave nothing behind when all are closed', async () => {
    const { cap, send } = asked();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => send('one', name));
    await a!();
    await b!();
    expect(cap.size).toBe(1);
    await c!();
    expect(cap.size).toBe(0);
  });
});
