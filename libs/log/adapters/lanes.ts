import { LogUnavailable } from '../port.js';

/** Lets so many calls run at a time; the others wait in line, or are told at once that the line is too long. */
export class Lanes {
  private running = 0;
  private closed = false;
  private readonly line: (() => void)[] = [];
  private quiet: (() => void)[] = [];

  constructor(
    private readonly lanes: number,
    private readonly longest: number,
  ) {}

  /** `startBy`, of performance.now(): whoever still waits then, or whose turn comes later, is refused, and nothing was sent. */
  async pass<R>(startBy: number, call: () => Promise<R>): Promise<R> {
    if (this.line.length >= this.longest) throw new LogUnavailable('too much is waiting for the event log', false);
    if (this.running >= this.lanes) await this.turn(startBy);
    else this.running++;
    try {
      if (this.closed) throw new LogUnavailable('the event log is closed', false);
      // The calls before may have ended at the end of their own time.
      if (performance.now() >= startBy) throw tooBusy();
      return await call();
    } finally {
      // Whoever is next takes the lane over.
      const next = this.line.shift();
      if (next) next();
      else if (--this.running === 0) for (const resolve of this.quiet.splice(0)) resolve();
    }
  }

  /** Refuses whoever waits. */
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
