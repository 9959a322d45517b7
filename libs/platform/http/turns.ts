import type { EventEmitter } from 'node:events';

/** A visitor has so much worked on at once, whatever the limit. */
export const TURNS_AT_ONCE = 2;
/** What is left to everybody else between two turns of a caller whose requests wait, in ms. */
const TURNS_APART_MS = 20;

/** A response, as far as it is needed here. `destroyed`: it was closed already. */
type Answering = Pick<EventEmitter, 'once'> & { destroyed: boolean };

/** The requests of one caller. */
interface Caller {
  underWay: number;
  /** What begins the requests that wait. */
  line: (() => void)[];
}

/**
 * Lets so many requests of one caller be worked on at once; the others wait in line, and begin one after the other with
 * a pause between them. A caller who sends all that is allowed in one moment then waits for itself, and not everybody
 * for that caller. The line is no longer than the burst that the caller's limit allows.
 */
export class Turns {
  /** Only those of whom something is under way. */
  private readonly callers = new Map<string, Caller>();

  /** @param later calls what it is handed after the pause */
  constructor(private readonly later = (begin: () => void): unknown => setTimeout(begin, TURNS_APART_MS)) {}

  /**
   * Resolves when the request has its turn; at once where there is room. The turn is over when the response is closed.
   * Never resolves where it is closed before that: nobody is left to be answered.
   */
  take(name: string, atOnce: number, response: Answering): void | Promise<void> {
    if (response.destroyed) return new Promise(() => undefined);
    const caller = this.callers.get(name) ?? { underWay: 0, line: [] };
    if (caller.underWay < atOnce) {
      this.callers.set(name, caller);
      caller.underWay++;
      response.once('close', () => this.end(name, caller));
      return;
    }
    return new Promise((resolve) => {
      const begin = (): void => resolve();
      caller.line.push(begin);
      response.once('close', () => {
        const place = caller.line.indexOf(begin);
        if (place === -1) this.end(name, caller);
        else caller.line.splice(place, 1);
      });
    });
  }

  /** Callers of whom something is under way. */
  get size(): number {
    return this.callers.size;
  }

  /** Whoever is next takes the turn over, after a pause. */
  private end(name: string, caller: Caller): void {
    if (caller.line.length > 0) this.later(() => this.pass(name, caller));
    else this.leave(name, caller);
  }

  private pass(name: string, caller: Caller): void {
    const next = caller.line.shift();
    if (next) next();
    else this.leave(name, caller);
  }

  private leave(name: string, caller: Caller): void {
    if (--caller.underWay === 0) this.callers.delete(name);
  }
}
