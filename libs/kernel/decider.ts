import type { Refusal } from './refusal.js';

/** What happened, before it is stored: a stable type name and plain JSON data. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  type: Type;
  data: Data;
}

/** What a decision answers: the events to append (none: nothing to do), or a refusal. */
export type Decision<E extends DomainEvent> = { refused: false; events: E[] } | Refusal;

export const happened = <E extends DomainEvent>(...events: E[]): { refused: false; events: E[] } => ({
  refused: false,
  events,
});

/** A fold: where it starts and how one event changes it. `evolve` never mutates what it was given. */
export interface Fold<S, E> {
  initial: () => S;
  evolve: (state: S, event: E) => S;
}

export const fold = <S, E>(by: Fold<S, E>, events: Iterable<E>, from: S = by.initial()): S => {
  let state = from;
  for (const event of events) state = by.evolve(state, event);
  return state;
};
