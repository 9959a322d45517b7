import { EventEmitter } from 'node:events';
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { Turns } from './turns.js';

const AT_ONCE = 2;
const APART_MS = 2;
/** Timers of one process end in the order of their times. */
const NEXT_HAS_BEGUN_MS = 2 * APART_MS;

/** Requests of some callers: which of them have begun, and how each is closed. */
function asked(turns: Turns) {
  const begun: string[] = [];
  const ask = async (caller: string, name: string, response: EventEmitter & { destroyed: boolean }): Promise<void> => {
    await turns.take(caller, AT_ONCE, response);
    begun.push(name);
  };
  return {
    begun,
    send: (caller: string, name: string, destroyed = false): { close: () => Promise<void> } => {
      const response = Object.assign(new EventEmitter(), { destroyed });
      void ask(caller, name, response);
      return {
        close: async () => {
          response.emit('close');
          await pause(NEXT_HAS_BEGUN_MS);
        },
      };
    },
  };
}

describe('requests of one caller', () => {
  it('are worked on a few at a time, the others in the order in which they came', async () => {
    const { begun, send } = asked(new Turns(APART_MS));
    const sent = ['a', 'b', 'c', 'd'].map((name) => send('one', name));
    await endOfTurn();
    expect(begun).toEqual(['a', 'b']);
    await sent[1]!.close();
    expect(begun).toEqual(['a', 'b', 'c']);
    await sent[0]!.close();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keep nobody else waiting', async () => {
    const { begun, send } = asked(new Turns(APART_MS));
    for (const name of ['a', 'b', 'c']) send('one', name);
    send('other', 'd');
    await endOfTurn();
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('lose their place when they are closed before their turn, and give up no turn that they never had', async () => {
    const { begun, send } = asked(new Turns(APART_MS));
    const [a, , c] = ['a', 'b', 'c', 'd', 'e'].map((name) => send('one', name));
    await endOfTurn();
    await c!.close();
    expect(begun).toEqual(['a', 'b']);
    await a!.close();
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('take no turn where they were closed before', async () => {
    const turns = new Turns(APART_MS);
    const { begun, send } = asked(turns);
    send('one', 'a', true);
    await endOfTurn();
    expect([begun, turns.size]).toEqual([[], 0]);
  });

  it('begin after a pause, for which the turn is nobody’s', async () => {
    const { begun, send } = asked(new Turns(APART_MS));
    const [a] = ['a', 'b', 'c'].map((name) => send('one', name));
    await endOfTurn();
    const closed = a!.close();
    const d = send('one', 'd');
    await endOfTurn();
    expect(begun).toEqual(['a', 'b']);
    await d.close();
    await closed;
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('leave nothing behind', async () => {
    const turns = new Turns(APART_MS);
    const { begun, send } = asked(turns);
    const sent = ['a', 'b', 'c', 'd'].map((name) => send('one', name));
    await endOfTurn();
    for (const each of sent) await each.close();
    expect([begun, turns.size]).toEqual([['a', 'b', 'c', 'd'], 0]);
    await send('one', 'e').close();
    expect([begun.at(-1), turns.size]).toEqual(['e', 0]);
  });
});
