import fc from 'fast-check';
import { collector, someEvents, streamName, type LogUnderTest } from './log-under-test.contract.js';
import { type NewEvent } from '../port.js';
import { BEGINNING } from '../../kernel/index.js';

/** Any sequence of commands, beside a model of a dozen lines. */
export function describeLikeModel({ log, runs }: LogUnderTest): void {
  describe('like the smallest model of a log', () => {
    type Command =
      | { do: 'append'; stream: number; expected: 'right' | number; count: number }
      | { do: 'repeat'; nth: number }
      | { do: 'read'; stream: number; direction: 'forwards' | 'backwards'; from: number | undefined; limit: number };
    const command: fc.Arbitrary<Command> = fc.oneof(
      fc.record({
        do: fc.constant('append' as const),
        stream: fc.nat(2),
        expected: fc.oneof(fc.constant('right' as const), fc.integer({ min: -1, max: 6 })),
        count: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({ do: fc.constant('repeat' as const), nth: fc.nat(20) }),
      fc.record({
        do: fc.constant('read' as const),
        stream: fc.nat(2),
        direction: fc.constantFrom('forwards' as const, 'backwards' as const),
        from: fc.option(fc.nat(8), { nil: undefined }),
        limit: fc.integer({ min: 1, max: 6 }),
      }),
    );

    it('answers every sequence of commands alike', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
          const prefix = streamName('model');
          const model: string[][] = [[], [], []];
          const order: string[] = [];
          const sent: { stream: number; expected: number; events: NewEvent[] }[] = [];
          const send = async (stream: number, expected: number, events: NewEvent[]) => {
            const held = model[stream]!;
            const outcome = await log().append(`${prefix}-${stream}`, expected, events);
            if (expected === held.length - 1) {
              expect(outcome).toMatchObject({
                outcome: 'appended',
                already: false,
                revision: held.length - 1 + events.length,
              });
              held.push(...events.map((event) => event.id));
              order.push(...events.map((event) => event.id));
            } else if (events.every((event, i) => held[expected + 1 + i] === event.id)) {
              expect(outcome).toMatchObject({ outcome: 'appended', already: true, revision: expected + events.length });
            } else expect(outcome).toEqual({ outcome: 'conflict', revision: held.length - 1 });
          };
          for (const step of commands) {
            if (step.do === 'append') {
              const events = someEvents(step.count);
              const expected = step.expected === 'right' ? model[step.stream]!.length - 1 : step.expected;
              sent.push({ stream: step.stream, expected, events });
              await send(step.stream, expected, events);
            } else if (step.do === 'repeat') {
              const again = sent[step.nth % Math.max(sent.length, 1)];
              // A repeat where the stream is expected to stand now is not one: no log looks for ids there.
              if (again && again.expected !== model[again.stream]!.length - 1)
                await send(again.stream, again.expected, again.events);
            } else {
              const held = model[step.stream]!;
              const { direction, from, limit } = step;
              const expected =
                direction === 'forwards'
                  ? held.slice(from ?? 0, (from ?? 0) + limit)
                  : held
                      .slice(0, (from ?? held.length) + 1)
                      .reverse()
                      .slice(0, limit);
              const read = await log().read(`${prefix}-${step.stream}`, {
                direction,
                limit,
                ...(from === undefined ? {} : { from }),
              });
              expect(read.map((event) => event.id)).toEqual(expected);
            }
          }
          if (order.length === 0) return;
          const seen = collector();
          const subscription = log().subscribe({
            after: BEGINNING,
            prefixes: [prefix],
            batchSize: 3,
            onBatch: seen.onBatch,
          });
          await seen.until(() => seen.events.length >= order.length);
          await subscription.stop();
          expect(seen.events.map((event) => event.id)).toEqual(order);
        }),
        { numRuns: runs },
      );
    });
  });
}
