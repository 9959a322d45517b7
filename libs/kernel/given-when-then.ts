import { fold, type Decision, type DomainEvent, type Fold } from './decider.js';
import { isRefusal } from './refusal.js';

/** Reads a decision test aloud: given(events).when(command).then(events) or .refuses(code). */
export function decisionTest<S, E extends DomainEvent, C>(
  by: Fold<S, E>,
  decide: (command: C, state: S) => Decision<E>,
) {
  return (...history: E[]) => ({
    when: (command: C) => {
      const decided = decide(command, fold(by, history));
      return {
        then: (check: (events: E[]) => void) => {
          if (isRefusal(decided)) throw new Error(`refused with ${decided.code}: ${decided.message}`);
          check(decided.events);
        },
        refuses: (code: string) => {
          if (!isRefusal(decided))
            throw new Error(`expected ${code}, but it happened: ${JSON.stringify(decided.events)}`);
          if (decided.code !== code) throw new Error(`expected ${code}, refused with ${decided.code}`);
        },
      };
    },
  });
}
