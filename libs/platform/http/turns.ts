import type { EventEmitter } from 'node:events';

/** So many requests of a visitor begin in one round, and are worked on at once, whatever the limit. */
export const TURNS_AT_ONCE = 5;
/** From the beginning of one round of a caller to that of the next one, in ms. */
export const ROUND_MS = 100;

/** A response, as far as it is needed here. `destroyed`: it was closed already. */
type Answering = Pick<EventEmitter, 'once'> & { destroyed: boolean };

/** The requests of one caller. */
interface Caller {
  /** Whether a round is on: it is over ROUND_MS after it began. */
  inRound: boolean;
  /** So many may still begin in it. */
  left: number;
  underWay: number;
  atOnce: number;
  /** What begins the requests that wait. */
  line: (() => void)[];
}

/**
 * Lets so many requests of one caller be worked on at once. Those that wait begin together, in rounds: five that are
 * written together cost everybody half of what they cost one by one, since a group is one append and wakes everybody
 * once. A caller who sends all that is allowed in one moment then waits for itself, and not everybody for that caller;
 * who sends a few requests waits for nothing. The line is no longer than the burst that the caller's limit allows.
 */
export class Turns {
  /** Only those of whom something is under way, or whose last round is not over. */
  private readonly callers = new Map<string, Caller>();

  /** @param later calls what it is handed when a round is over */
  constructor(private readonly later = (over: () => void): unknown => setTimeout(over, ROUND_MS).unref()) {}

  /**
   * Resolves when the request has its turn; at once where there is room. The turn is over when the response is closed.
   * Never resolves where it is closed before that: nobody is left to be answered.
   */
  take(name: string, atOnce: number, response: Answering): void | Promise<void> {
    if (response.destroyed) return new Promise(() => undefined);
    const caller = this.callers.get(name) ?? { inRound: false, left: 0, underWay: 0, atOnce, line: [] };
    this.callers.set(name, caller);
    caller.atOnce = atOnce;
    if (!caller.inRound) this.beginRound(name, caller);
    if (isFree(caller)) {
      begin(caller);
      response.once('close', () => this.end(name, caller));
      return;
    }
    return new Promise((resolve) => {
      const turn = (): void => resolve();
      caller.line.push(turn);
      response.once('close', () => {
        const place = caller.line.indexOf(turn);
        if (place === -1) this.end(name, caller);
        else caller.line.splice(place, 1);
      });
    });
  }

  /** Callers of whom something is remembered. */
  get size(): number {
    return this.callers.size;
  }

  private beginRound(name: string, caller: Caller): void {
    caller.inRound = true;
    caller.left = caller.atOnce;
    this.later(() => this.endRound(name, caller));
    while (caller.line.length > 0 && isFree(caller)) {
      begin(caller);
      caller.line.shift()!();
    }
  }

  private endRound(name: string, caller: Caller): void {
    caller.inRound = false;
    if (caller.line.length > 0) this.beginRound(name, caller);
    else this.leave(name, caller);
  }

  private end(name: string, caller: Caller): void {
    caller.underWay--;
    this.leave(name, caller);
  }

  private leave(name: string, caller: Caller): void {
    if (caller.underWay === 0 && !caller.inRound) this.callers.delete(name);
  }
}

const isFree = ({ left, underWay, atOnce }: Caller): boolean => left > 0 && underWay < atOnce;

function begin(caller: Caller): void {
  caller.left--;
  caller.underWay++;
}
