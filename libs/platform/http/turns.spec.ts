import { EventEmitter } from 'node:events';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { until } from '../../../test/support/timing.js';
import { ROUND_MS, Turns } from './turns.js';

const AT_ONCE = 2;

/** What ends the rounds that are on, which a spec does by hand. */
let rounds: (() => void)[] = [];
beforeEach(() => void (rounds = []));
const turnsByHand = (): Turns => new Turns((over) => rounds.push(over));
const endRounds = async (): Promise<void> => {
  for (const over of rounds.splice(0)) over();
  await endOfTurn();
};

/** Requests of some callers: which of them have begun, and how each is closed. */
function asked(turns: Turns) {
  const begun: string[] = [];
  const ask = async (caller: string, name: string, response: EventEmitter & { destroyed: boolean }): Promise<void> => {
    await turns.take(caller, AT_ONCE, response);
    begun.push(name);
  };
  return {
    begun,
    send: (caller: string, name: string, destroyed = false) => {
      const response = Object.assign(new EventEmitter(), { destroyed });
      void ask(caller, name, response);
      return async (): Promise<void> => {
        response.emit('close');
        await endOfTurn();
      };
    },
  };
}

describe('requests of one caller', () => {
  it('begin in rounds, those of a round at once and in the order in which they came', async () => {
    const { begun, send } = asked(turnsByHand());
    const [a, b] = ['a', 'b', 'c', 'd', 'e'].map((name) => send('one', name));
    await endOfTurn();
    expect(begun).toEqual(['a', 'b']);
    // Room alone begins nothing: the round has to be over.
    await a!();
    await b!();
    expect(begun).toEqual(['a', 'b']);
    await endRounds();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are worked on a few at a time, however many rounds pass', async () => {
    const { begun, send } = asked(turnsByHand());
    const [a] = ['a', 'b', 'c', 'd'].map((name) => send('one', name));
    await endRounds();
    await endRounds();
    expect(begun).toEqual(['a', 'b']);
    await a!();
    await endRounds();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('take what is left of a round, and begin none with what is still under way', async () => {
    const { begun, send } = asked(turnsByHand());
    const a = send('one', 'a');
    await a();
    send('one', 'b');
    send('one', 'c');
    await endOfTurn();
    expect(begun).toEqual(['a', 'b']);
    await endRounds();
    send('one', 'd');
    await endOfTurn();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('wait for nothing where the last round is over', async () => {
    const { begun, send } = asked(turnsByHand());
    for (const round of ['1', '2']) {
      for (const name of ['a', 'b']) await send('one', name + round)();
      await endRounds();
    }
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2']);
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
    await c!();
    await endRounds();
    expect(begun).toEqual(['a', 'b']);
    await a!();
    await endRounds();
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('take no turn where they were closed before', async () => {
    const turns = turnsByHand();
    const { begun, send } = asked(turns);
    send('one', 'a', true);
    await endOfTurn();
    expect([begun, turns.size]).toEqual([[], 0]);
  });

  it('leave nothing behind once the round is over and all are closed', async () => {
    const turns = turnsByHand();
    const { begun, send } = asked(turns);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => send('one', name));
    await a!();
    await b!();
    await endRounds();
    await c!();
    expect([begun, turns.size]).toEqual([['a', 'b', 'c'], 1]);
    await endRounds();
    expect([turns.size, rounds]).toEqual([0, []]);
    const d = send('one', 'd');
    await endRounds();
    expect(turns.size).toBe(1);
    await d();
    expect(turns.size).toBe(0);
  });

  it('begin by a clock where nobody ends the rounds', async () => {
    const { begun, send } = asked(new Turns());
    const sent = ['a', 'b', 'c'].map((name) => send('one', name));
    const from = performance.now();
    await sent[0]!();
    await until(() => begun.length >= 3);
    expect(performance.now() - from).toBeGreaterThanOrEqual(ROUND_MS - 5);
  });
});
