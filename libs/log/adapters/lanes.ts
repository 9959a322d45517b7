import { LogUnavailable } from '../port.js';

/** Runs a bounded number of calls at a time. Further calls wait in line, or are refused at once where the line is full. */
export class Lanes {
  private running = 0;
  private closed = false;
  private readonly line: (() => void)[] = [];
  private quiet: (() => void)[] = [];

  constructor(
    private readonly lanes: number,
    private readonly longest: number,
  ) {}

  /** @param startBy of performance.now(): a call that has not begun by then is refused without being sent */
  async pass<R>(startBy: number, call: () => Promise<R>): Promise<R> {
    if (this.line.length >= this.longest) throw new LogUnavailable('too much is waiting for the event log', false);
    if (this.running >= this.lanes) await this.turn(startBy);
    else this.running++;
    try {
      if (this.closed) throw new LogUnavailable('the event log is closed', false);
      // Earlier calls may have held the lane until now.
      if (performance.now() >= startBy) throw tooBusy();
      return await call();
    } finally {
      // The next call in line takes the lane over.
      const next = this.line.shift();
      if (next) next();
      else if (--this.running === 0) for (const resolve of this.quiet.splice(0)) resolve();
    }
  }

  /** Refuses the calls in line. */
  close(): void {
    this.closed = true;
  }

  async idle(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.quiet.push(resolve));
  }

  private turn(startBy: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.line.splice(this.line.indexOf(go), 1);
        reject(tooBusy());
      }, startBy - performance.now());
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.line.push(go);
    });
  }
}

const tooBusy = (): LogUnavailable => new LogUnavailable('the event log is too busy', false);
