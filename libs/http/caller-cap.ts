import type { EventEmitter } from 'node:events';

/** How many requests of one visitor are worked on at once, whatever the rate limit. */
export const AT_ONCE = 5;

/** A response, as far as it is needed here. `destroyed`: it was closed already. */
type Answering = Pick<EventEmitter, 'once'> & { destroyed: boolean };

/** The requests of one caller: how many are under way, and what begins those that wait. */
interface Caller {
  underWay: number;
  line: (() => void)[];
}

/**
 * Caps how many requests of one caller are worked on at once. The others of that caller wait, in the order in which they
 * came; other callers do not. A line is no longer than the burst that the caller's rate limit allows.
 */
export class CallerCap {
  private readonly callers = new Map<string, Caller>();

  /** Callers of whom something is under way. */
  get size(): number {
    return this.callers.size;
  }

  /**
   * Resolves when the request may be worked on; at once where there is room. Its place is free again when the response is
   * closed. Never resolves where the response is closed before that: no answer can be sent any more.
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

  /** The place of what ended goes to the request that has waited longest. */
  private leave(name: string, caller: Caller): void {
    const next = caller.line.shift();
    if (next) next();
    else if (--caller.underWay === 0) this.callers.delete(name);
  }
}
