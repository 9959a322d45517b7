import type { EventEmitter } from 'node:events';

/** Requests of one visitor that the service works on at once, whatever the rate limit. */
export const AT_ONCE = 5;

/** The part of a response that is used here. `destroyed`: it was closed already. */
type Answering = Pick<EventEmitter, 'once'> & { destroyed: boolean };

/** The requests of one caller: how many are under way, and functions that begin the waiting ones. */
interface Caller {
  underWay: number;
  line: (() => void)[];
}

/**
 * Caps how many requests of one caller the service works on at once. That caller's other requests wait in order; other
 * callers do not wait. A line is no longer than the burst that the caller's rate limit allows.
 */
export class CallerCap {
  private readonly callers = new Map<string, Caller>();

  /** Number of callers with a request under way. */
  get size(): number {
    return this.callers.size;
  }

  /**
   * Resolves when the request may begin, at once where there is room. Its place is free again when the response is closed.
   * Never resolves where the response is closed before that, since no answer can be sent any more.
   */
  enter(name: string, atOnce: number, response: Answering): void | Promise<void> {
    if (response.destroyed) return new Promise(() => undefined);
    const caller = this.callers.get(name) ?? { underWay: 0, line: [] };
    this.callers.set(name, caller);
    if (caller.underWay < atOnce) {
      caller.underWay++;
      response.once('close', () => this.leave(name, caller));
      return;
    }
    return new Promise((resolve) => {
      const begin = (): void => resolve();
      caller.line.push(begin);
      response.once('close', () => {
        const place = caller.line.indexOf(begin);
        if (place === -1) this.leave(name, caller);
        else caller.line.splice(place, 1);
      });
    });
  }

  /** Gives the place of a finished request to the one that has waited longest. */
  private leave(name: string, caller: Caller): void {
    const next = caller.line.shift();
    if (next) next();
    else if (--caller.underWay === 0) this.callers.delete(name);
  }
}
