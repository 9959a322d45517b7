import { ForwardingEventLog } from '../../libs/log/forwarding.js';
import {
  LogUnavailable,
  type AppendOutcome,
  type EventLog,
  type NewEvent,
  type ReadStream,
  type RecordedEvent,
} from '../../libs/log/port.js';
import type { Database, Statement } from '../../libs/engines/database/database.js';
import { generator } from './generator.js';

/** Everything that a process does to the world outside passes here, one step at a time. */
export type Pass = <T>(step: Step, carryOut: () => Promise<T>) => Promise<T>;

export interface Step {
  /** `append`, `read`, or the name of the statement. */
  what: string;
  writes: boolean;
}

/** A log whose every call passes. */
export class SteppedLog extends ForwardingEventLog {
  constructor(
    log: EventLog,
    private readonly pass: Pass,
  ) {
    super(log);
  }

  override append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendOutcome> {
    return this.pass({ what: 'append', writes: true }, () => this.log.append(stream, expected, events));
  }

  override read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    return this.pass({ what: 'read', writes: false }, () => this.log.read(stream, options));
  }
}

/** The same database, where each statement passes. */
export function steppedDatabase(database: Database, pass: Pass): Database {
  // A snapshot is no step of anybody's work: it is written beside it, and nothing depends on it.
  const writes = ({ name, text }: Statement): boolean =>
    /\b(insert|update|delete)\b/i.test(text) && !name.startsWith('snapshot_');
  const query = <R>(statement: Statement, values: readonly unknown[]): Promise<R[]> =>
    pass({ what: statement.name, writes: writes(statement) }, () => database.query<R>(statement, values));
  return new Proxy(database, {
    get: (target, member) => (member === 'query' ? query : (Reflect.get(target, member) as unknown)),
  });
}

export class ProcessDied extends Error {}

/** A process that dies before its nth write, which is after the one before took effect, and does nothing any more. */
export class Mortal {
  writes = 0;
  isDead = false;

  constructor(private readonly at: number) {}

  readonly pass: Pass = async ({ writes }, carryOut) => {
    if (writes && ++this.writes === this.at) this.isDead = true;
    if (this.isDead) throw new ProcessDied('process died');
    return carryOut();
  };
}

/** A log whose nth append takes effect, or does not, and whose answer is lost. */
export class Unheard {
  appends = 0;

  constructor(
    private readonly at: number,
    private readonly tookEffect: boolean,
  ) {}

  readonly pass: Pass = async ({ what }, carryOut) => {
    if (what !== 'append' || ++this.appends !== this.at) return carryOut();
    if (this.tookEffect) await carryOut();
    throw new LogUnavailable('no answer', true);
  };
}

/** Rounds of the event loop after which nobody has anything left to do but to wait for its turn. */
const QUIET_ROUNDS = 3;
/** Many more than all that is done side by side ever takes. */
const STEPS_MAX = 100_000;

/**
 * Lets one step happen at a time, whose turn it is being drawn: what several do at once happens in an order that can be
 * had again from its seed.
 */
export class Turns {
  private readonly random: () => number;
  private readonly waiting: (() => Promise<void>)[] = [];

  constructor(seed: number) {
    this.random = generator(seed);
  }

  readonly pass: Pass = <T>(_: Step, carryOut: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      this.waiting.push(() => carryOut().then(resolve, reject));
    });

  /** Until all of these are done. */
  async until<T>(running: readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
    let settled = false;
    const all = Promise.allSettled(running).finally(() => (settled = true));
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      for (let round = 0; round < QUIET_ROUNDS; round++) await new Promise(setImmediate);
      if (settled) return all;
      const [next] = this.waiting.splice(Math.floor(this.random() * this.waiting.length), 1);
      if (!next) throw new Error('everybody waits for something that nobody does');
      await next();
    }
    throw new Error(`it is not over after ${STEPS_MAX} steps`);
  }
}
