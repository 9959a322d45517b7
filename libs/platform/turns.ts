import { DependencyUnavailable } from './dependency-unavailable.js';

/** Lets so many run at once; others wait for their turn in order. More than `mostWaiting` is overload: 503. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly mostAtOnce: number,
    private readonly mostWaiting: number,
  ) {}

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.mostAtOnce) this.running++;
    else {
      if (this.waiting.length >= this.mostWaiting) throw new DependencyUnavailable('write queue');
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // Whoever is next takes the place over, so that nobody who comes meanwhile slips in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
