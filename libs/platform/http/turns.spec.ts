import { EventEmitter } from 'node:events';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Turns, TURNS_AT_ONCE } from './turns.js';

/** What begins when the pause between two turns is over, which a spec ends by hand. */
let paused: (() => void)[] = [];
beforeEach(() => void (paused = []));
const turnsByHand = (): Turns => new Turns((begin) => paused.push(begin));
const endPause = async (): Promise<void> => {
  for (const begin of paused.splice(0)) begin();
  await endOfTurn();
};

/** Requests of some callers: which of them have begun, and how each is closed. */
function asked(turns: Turns) {
  const begun: string[] = [];
  const ask = async (caller: string, name: string, response: EventEmitter & { destroyed: boolean }): Promise<void> => {
    await turns.take(caller, TURNS_AT_ONCE, response);
    begun.push(name);
  };
  return {
    begun,
    send: (caller: string, name: string, destroyed = false) => {
      const response = Object.assign(new EventEmitter(), { destroyed });
      void ask(caller, name, response);
      return {
        response,
        close: async (): Promise<void> => {
          response.emit('close');
          await endPause();
        },
      };
    },
  };
}

describe('requests of one caller', () => {
  it('are worked on a few at a time, the others in the order in which they came', async () => {
    const { begun, send } = asked(turnsByHand());
    const sent = ['a', 'b', 'c', 'd'].map((name) => send('one', name));
    await endOfTurn();
    expect(begun).toEqual(['a', 'b']);
    await sent[1]!.close();
    expect(begun).toEqual(['a', 'b', 'c']);
    await sent[0]!.close();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keep nobody else waiting', async () => {
    const { begun, send } = asked(turnsByHand());
    for (const name of ['a', 'b', 'c']) send('one', name);
    send('other', 'd');
    await endOfTurn();
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('lose their place when they are closed before their turn, and give up no turn that they never had', async () => {
    const { begun, send } = asked(turnsByHand());
    const [a, , c] = ['a', 'b', 'c', 'd', 'e'].map((name) => send('one', name));
    await endOfTurn();
    await c!.close();
    expect(begun).toEqual(['a', 'b']);
    await a!.close();
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('take no turn where they were closed before', async () => {
    const turns = turnsByHand();
    const { begun, send } = asked(turns);
    send('one', 'a', true);
    await endOfTurn();
    expect([begun, turns.size]).toEqual([[], 0]);
  });

  it('begin after a pause, for which the turn is nobody’s', async () => {
    const { begun, send } = asked(turnsByHand());
    const [a] = ['a', 'b', 'c'].map((name) => send('one', name));
    await endOfTurn();
    a!.response.emit('close');
    send('one', 'd');
    await endOfTurn();
    expect(begun).toEqual(['a', 'b']);
    await endPause();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('leave nothing behind', async () => {
    const turns = turnsByHand();
    const { begun, send } = asked(turns);
    const sent = ['a', 'b', 'c', 'd'].map((name) => send('one', name));
    await endOfTurn();
    for (const each of sent) await each.close();
    expect([begun, turns.size]).toEqual([['a', 'b', 'c', 'd'], 0]);
    await send('one', 'e').close();
    expect([begun.at(-1), turns.size]).toEqual(['e', 0]);
  });
});
