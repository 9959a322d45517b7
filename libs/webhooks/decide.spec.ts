import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frozen } from '../../test/laws/histories.js';
import { decisionTest } from '../kernel/given-when-then.js';
import { fold, instantOf, isRefusal } from '../kernel/index.js';
import { decideWebhooks, ENDPOINTS_MAX, type ChangeEndpoint, type WebhookCommand } from './decide.js';
import type { WebhookEndpointCreatedData, WebhookEndpointEvent } from './events.js';
import { endpointOf, endpointsOf, webhooksFold, type WebhooksState } from './state.js';

const [T0, T1, T2, T3] = [0, 60_000, 120_000, 180_000].map((ms) => instantOf(Date.UTC(2026, 10, 22) + ms)) as [
  string,
  string,
  string,
  string,
];
const [A, B] = ['whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'whe_01KAK3V0ZC8W9J2M4N6P8Q0R2T'];
const settings: WebhookEndpointCreatedData = {
  endpointId: A,
  sealedUrl: 'sealed-url-1',
  types: ['consent.*'],
  description: null,
  includeIdentifiers: false,
  sealedSecret: 'sealed-secret-1',
  createdAt: T0,
};
const created = (more: Partial<WebhookEndpointCreatedData> = {}): WebhookEndpointEvent => ({
  type: 'WebhookEndpointCreated',
  data: { ...settings, ...more },
});
const paused: WebhookEndpointEvent = { type: 'WebhookEndpointPaused', data: { endpointId: A, at: T1 } };
const resumed = (at: string): WebhookEndpointEvent => ({ type: 'WebhookEndpointResumed', data: { endpointId: A, at } });
const disabled: WebhookEndpointEvent = {
  type: 'WebhookEndpointDisabled',
  data: { endpointId: A, reason: 'GONE', at: T1 },
};
const change = (wanted: ChangeEndpoint['wanted'], endpointId: string = A): ChangeEndpoint => ({
  type: 'change',
  endpointId,
  wanted,
  at: T2,
});
const url = (sealed: string, before = 'sealed-url-1') => ({
  sealed,
  isThatOf: ({ sealedUrl }: { sealedUrl: string }) => sealedUrl === before,
});
const disable = (triedAt: string): WebhookCommand => ({
  type: 'disable',
  endpointId: A,
  reason: 'FAILING',
  triedAt,
  at: T3,
});
const rotate: WebhookCommand = {
  type: 'rotateSecret',
  endpointId: A,
  sealedSecret: 'sealed-secret-2',
  reason: 'yearly',
  at: T2,
};
const replay = { endpointId: A, replayId: 'whr_1', types: null, requestedAt: T2 };
const given = decisionTest(webhooksFold, decideWebhooks);
const only = (events: WebhookEndpointEvent[]): WebhookEndpointEvent => {
  expect(events).toHaveLength(1);
  return events[0]!;
};
const nothing = (events: WebhookEndpointEvent[]): void => expect(events).toEqual([]);

describe('creating an endpoint', () => {
  it('records it as it was asked for', () =>
    given()
      .when({ type: 'create', endpoint: settings })
      .then((events) => expect(only(events)).toEqual(created())));

  it('of an id that is there does nothing', () =>
    given(created())
      .when({ type: 'create', endpoint: { ...settings, sealedSecret: 'another' } })
      .then(nothing));

  it('is refused where there are as many as there can be, until one is deleted', () => {
    const all = Array.from({ length: ENDPOINTS_MAX }, (_, i) => created({ endpointId: `whe_${i}` }));
    const one: WebhookCommand = { type: 'create', endpoint: settings };
    given(...all)
      .when(one)
      .refuses('state_conflict');
    given(...all.slice(1))
      .when(one)
      .then((events) => expect(only(events).type).toBe('WebhookEndpointCreated'));
    given(...all, { type: 'WebhookEndpointDeleted', data: { endpointId: 'whe_7', deletedAt: T1 } })
      .when(one)
      .then((events) => expect(only(events).type).toBe('WebhookEndpointCreated'));
  });
});

describe('changing an endpoint', () => {
  it('records what is different, and nothing else', () =>
    given(created())
      .when(change({ url: url('sealed-url-2', 'another'), types: ['*'], description: null, includeIdentifiers: false }))
      .then((events) =>
        expect(only(events)).toEqual({
          type: 'WebhookEndpointChanged',
          data: { endpointId: A, sealedUrl: 'sealed-url-2', types: ['*'], changedAt: T2 },
        }),
      ));

  it('records each setting that is different', () =>
    given(created())
      .when(change({ description: 'Warehouse', includeIdentifiers: true }))
      .then((events) =>
        expect(only(events).data).toEqual({
          endpointId: A,
          description: 'Warehouse',
          includeIdentifiers: true,
          changedAt: T2,
        }),
      ));

  it('to what it is does nothing: an address that was sealed anew, types in another order', () =>
    given(created({ types: ['consent.*', 'subject.erased'], description: 'x' }))
      .when(
        change({
          url: url('sealed-url-2'),
          types: ['subject.erased', 'consent.*'],
          description: 'x',
          includeIdentifiers: false,
          state: 'ENABLED',
        }),
      )
      .then(nothing));

  it('to other types, as many or fewer, is a change', () => {
    for (const types of [['consent.*', 'receipt.issued'], ['consent.*']])
      given(created({ types: ['consent.*', 'subject.erased'] }))
        .when(change({ types }))
        .then((events) => expect(only(events).data).toMatchObject({ types }));
  });

  it('pauses it and lets it go on, together with what else is changed', () => {
    given(created())
      .when(change({ state: 'PAUSED', types: ['*'] }))
      .then((events) =>
        expect(events.map(({ type }) => type)).toEqual(['WebhookEndpointChanged', 'WebhookEndpointPaused']),
      );
    given(created(), paused)
      .when(change({ state: 'ENABLED' }))
      .then((events) => expect(only(events)).toEqual(resumed(T2)));
    given(created(), paused)
      .when(change({ state: 'PAUSED' }))
      .then(nothing);
  });

  it('that is disabled resumes it, and cannot pause it', () => {
    given(created(), disabled)
      .when(change({ state: 'ENABLED' }))
      .then((events) => expect(only(events)).toEqual(resumed(T2)));
    given(created(), disabled)
      .when(change({ state: 'PAUSED', types: ['*'] }))
      .refuses('state_conflict');
    given(created(), disabled)
      .when(change({ types: ['*'] }))
      .then((events) => expect(only(events).type).toBe('WebhookEndpointChanged'));
  });
});

describe('giving up on a receiver', () => {
  it('is recorded with its reason', () =>
    given(created())
      .when(disable(T1))
      .then((events) =>
        expect(only(events)).toEqual({
          type: 'WebhookEndpointDisabled',
          data: { endpointId: A, reason: 'FAILING', at: T3 },
        }),
      ));

  it('does nothing where it is given up already, is paused, or was deleted', () => {
    for (const before of [[created(), disabled], [created(), paused], [created({ endpointId: B })]])
      given(...before)
        .when(disable(T3))
        .then(nothing);
  });

  it('counts only what was found out since it was resumed or led elsewhere', () => {
    const moved: WebhookEndpointEvent = {
      type: 'WebhookEndpointChanged',
      data: { endpointId: A, sealedUrl: 'sealed-url-2', changedAt: T2 },
    };
    const described: WebhookEndpointEvent = {
      type: 'WebhookEndpointChanged',
      data: { endpointId: A, description: 'x', changedAt: T2 },
    };
    for (const before of [
      [created(), disabled, resumed(T2)],
      [created(), moved],
    ]) {
      given(...before)
        .when(disable(T1))
        .then(nothing);
      given(...before)
        .when(disable(T2))
        .then((events) => expect(events).toHaveLength(1));
    }
    given(created(), described)
      .when(disable(T1))
      .then((events) => expect(events).toHaveLength(1));
  });
});

describe('rotating a secret', () => {
  it('lets the one before sign for another day', () =>
    given(created())
      .when(rotate)
      .then((events) =>
        expect(only(events)).toEqual({
          type: 'WebhookSecretRotated',
          data: {
            endpointId: A,
            sealedSecret: 'sealed-secret-2',
            previousUntil: '2026-11-23T00:02:00.000Z',
            rotatedAt: T2,
            reason: 'yearly',
          },
        }),
      ));

  it('keeps two secrets and never a third', () => {
    const rotated = (n: number): WebhookEndpointEvent => ({
      type: 'WebhookSecretRotated',
      data: { endpointId: A, sealedSecret: `sealed-secret-${n}`, previousUntil: T3, rotatedAt: T2, reason: null },
    });
    const { sealedSecret, previousSecret } = endpointOf(fold(webhooksFold, [created(), rotated(2), rotated(3)]), A)!;
    expect([sealedSecret, previousSecret]).toEqual(['sealed-secret-3', { sealed: 'sealed-secret-2', until: T3 }]);
  });

  it('of an endpoint that is paused or disabled is done as well', () => {
    for (const before of [paused, disabled])
      given(created(), before)
        .when(rotate)
        .then((events) => expect(events).toHaveLength(1));
  });
});

describe('sending on demand', () => {
  const test: WebhookCommand = { type: 'test', endpointId: A, at: T2 };
  const replayed = (replayId: string, fromSequence = 16): WebhookEndpointEvent => ({
    type: 'WebhookReplayRequested',
    data: { ...replay, replayId, fromSequence, throughSequence: 16 },
  });
  const replaying = (over: string | null): WebhookCommand => ({
    type: 'replay',
    replay: { ...replay, fromSequence: 16, throughSequence: 16 },
    over,
  });
  const again = replaying(null);
  const retry: WebhookCommand = { type: 'retry', endpointId: A, deliveryId: `${A}.evt_1`, at: T2 };

  it('is recorded: a test, a replay, a retry', () => {
    given(created())
      .when(test)
      .then((events) =>
        expect(only(events)).toEqual({ type: 'WebhookTestRequested', data: { endpointId: A, requestedAt: T2 } }),
      );
    given(created())
      .when(again)
      .then((events) =>
        expect(only(events)).toEqual({
          type: 'WebhookReplayRequested',
          data: { ...replay, fromSequence: 16, throughSequence: 16 },
        }),
      );
    given(created())
      .when(retry)
      .then((events) =>
        expect(only(events)).toEqual({
          type: 'WebhookDeliveryRetried',
          data: { endpointId: A, deliveryId: `${A}.evt_1`, requestedAt: T2 },
        }),
      );
  });

  it('is refused where nothing is sent to the endpoint', () => {
    for (const before of [paused, disabled])
      for (const command of [test, again, retry]) given(created(), before).when(command).refuses('state_conflict');
  });

  it('is refused where a replay would begin behind all that happened', () =>
    given(created())
      .when({ type: 'replay', replay: { ...replay, fromSequence: 17, throughSequence: 16 }, over: null })
      .refuses('validation_failed'));

  it('is one replay at a time: another waits until the last one that was asked for is known to be over', () => {
    given(created(), replayed('whr_0')).when(again).refuses('state_conflict');
    given(created(), replayed('whr_0'), replayed('whr_2')).when(replaying('whr_0')).refuses('state_conflict');
    given(created(), replayed('whr_0'), replayed('whr_2'))
      .when(replaying('whr_2'))
      .then((events) => expect(only(events)).toEqual(replayed('whr_1')));
    given(created({ endpointId: B }), created(), replayed('whr_0'))
      .when({ type: 'replay', replay: { ...replay, endpointId: B, fromSequence: 1, throughSequence: 2 }, over: null })
      .then((events) => expect(events).toHaveLength(1));
  });
});

it('whatever is wanted of an endpoint that is not there is refused', () => {
  const commands: WebhookCommand[] = [
    change({ types: ['*'] }),
    rotate,
    { type: 'delete', endpointId: A, at: T2 },
    { type: 'test', endpointId: A, at: T2 },
    { type: 'replay', replay: { ...replay, fromSequence: 1, throughSequence: 2 }, over: null },
    { type: 'retry', endpointId: A, deliveryId: 'x', at: T2 },
  ];
  for (const before of [[], [created(), { type: 'WebhookEndpointDeleted', data: { endpointId: A, deletedAt: T1 } }]])
    for (const command of commands)
      given(...(before as WebhookEndpointEvent[]))
        .when(command)
        .refuses('webhook_endpoint_not_found');
  // A name that objects have by themselves is none of an endpoint.
  given(created())
    .when(change({ types: ['*'] }, 'constructor'))
    .refuses('webhook_endpoint_not_found');
});

it('endpoints are listed with the newest first', () => {
  const state = fold(webhooksFold, [created(), created({ endpointId: B })]);
  expect(endpointsOf(state).map(({ id }) => id)).toEqual([B, A]);
});

it('an event of a type that is not known stops the fold', () =>
  expect(() => webhooksFold.evolve(webhooksFold.initial(), { type: 'WebhookEndpointMoved' } as never)).toThrow(
    'WebhookEndpointMoved',
  ));

describe('whatever is asked for, in whatever order', () => {
  const id = fc.constantFrom(A, B, 'whe_never');
  const at = fc.integer({ min: 0, max: 1000 }).map((ms) => instantOf(Date.UTC(2026, 10, 22) + ms));
  const sealed = fc.constantFrom('1', '2', '3');
  const wanted = fc
    .record(
      {
        types: fc.constantFrom(['*'], ['consent.*'], ['consent.*', 'subject.erased']),
        description: fc.constantFrom(null, 'x'),
        includeIdentifiers: fc.boolean(),
        state: fc.constantFrom('ENABLED' as const, 'PAUSED' as const),
        url: sealed.map((text) => ({
          sealed: text,
          isThatOf: ({ sealedUrl }: { sealedUrl: string }) => sealedUrl === text,
        })),
      },
      { requiredKeys: [] },
    )
    .map((each) => each as ChangeEndpoint['wanted']);
  const lasting: fc.Arbitrary<WebhookCommand> = fc.oneof(
    fc.record({
      type: fc.constant('create' as const),
      endpoint: fc.record({ endpointId: fc.constantFrom(A, B), createdAt: at }).map((own) => ({ ...settings, ...own })),
    }),
    fc.record({ type: fc.constant('change' as const), endpointId: id, wanted, at }),
    fc.record({
      type: fc.constant('disable' as const),
      endpointId: id,
      reason: fc.constantFrom('GONE' as const, 'FAILING' as const),
      triedAt: at,
      at,
    }),
    fc.record({
      type: fc.constant('rotateSecret' as const),
      endpointId: id,
      sealedSecret: sealed,
      reason: fc.constant(null),
      at,
    }),
    fc.record({ type: fc.constant('delete' as const), endpointId: id, at }),
  );
  const sending: fc.Arbitrary<WebhookCommand> = fc.oneof(
    fc.record({ type: fc.constant('test' as const), endpointId: id, at }),
    fc.record({ type: fc.constant('retry' as const), endpointId: id, deliveryId: fc.constant('d'), at }),
    fc.record({
      type: fc.constant('replay' as const),
      replay: id.map((endpointId) => ({ ...replay, endpointId, fromSequence: 1, throughSequence: 2 })),
      over: fc.constantFrom(null, replay.replayId),
    }),
  );
  const eventsOf = (command: WebhookCommand, state: WebhooksState): WebhookEndpointEvent[] => {
    const decided = decideWebhooks(command, state);
    return isRefusal(decided) ? [] : decided.events;
  };
  const commands = fc.array(fc.oneof({ weight: 4, arbitrary: lasting }, { weight: 1, arbitrary: sending }), {
    maxLength: 30,
  });
  const named = (command: WebhookCommand): string =>
    command.type === 'create'
      ? command.endpoint.endpointId
      : command.type === 'replay'
        ? command.replay.endpointId
        : command.endpointId;
  /** Each step: what stood before, what was decided, and what stands then. */
  const steps = (asked: readonly WebhookCommand[]) => {
    let state = frozen(webhooksFold.initial());
    return asked.map((command) => {
      const before = state;
      const events = eventsOf(command, before);
      state = frozen(fold(webhooksFold, events, before));
      return { command, before, events, after: state };
    });
  };

  it('doing it twice is doing it once, but for what is sent', () =>
    fc.assert(
      fc.property(commands, (asked) => {
        for (const { command, after } of steps(asked))
          if (!['test', 'retry', 'replay'].includes(command.type)) expect(eventsOf(command, after)).toEqual([]);
      }),
    ));

  it('no other endpoint is changed by it', () =>
    fc.assert(
      fc.property(commands, (asked) => {
        for (const { command, before, after } of steps(asked))
          for (const other of [A, B].filter((each) => each !== named(command)))
            expect(endpointOf(after, other)).toBe(endpointOf(before, other));
      }),
    ));

  it('nothing is sent to an endpoint that is not enabled, or again while it runs, and sending changes none', () =>
    fc.assert(
      fc.property(commands, sending, (asked, command) => {
        const state = steps(asked).at(-1)?.after ?? webhooksFold.initial();
        const events = eventsOf(command, state);
        const endpoint = endpointOf(state, named(command));
        const runs = command.type === 'replay' && endpoint?.lastReplay && command.over === null;
        expect(events.length > 0).toBe(endpoint?.state === 'ENABLED' && !runs);
        const { endpoints } = fold(webhooksFold, events, state);
        if (endpoint && command.type === 'replay' && events.length > 0)
          expect(endpoints[endpoint.id]).toEqual({
            ...endpoint,
            lastReplay: { replayId: command.replay.replayId, requestedAt: command.replay.requestedAt },
          });
        else expect(endpoints).toEqual(state.endpoints);
      }),
    ));

  it('the state is JSON, and says of a reason exactly where it is disabled', () =>
    fc.assert(
      fc.property(commands, (asked) => {
        const state = steps(asked).at(-1)?.after ?? webhooksFold.initial();
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        for (const endpoint of endpointsOf(state))
          expect(endpoint.disabledReason !== null).toBe(endpoint.state === 'DISABLED');
      }),
    ));
});
