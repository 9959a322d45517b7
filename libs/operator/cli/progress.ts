import type { Sink } from './show.js';

const WIDTH = 24;
const REDRAW_MS = 150;
const SAY_EVERY_MS = 5_000;

/** Shows how far long work has come on standard error: a bar in a terminal, else a line now and then. */
export class Progress {
  private drawnAt = -Infinity;
  private drawn = false;
  private readonly since = performance.now();

  constructor(
    private readonly err: Sink,
    private readonly what: string,
  ) {}

  /** `share` from 0 to 1. `count` is shown with its rate. */
  show(share: number, count: number, unit: string): void {
    const now = performance.now();
    if (
      now - this.drawnAt < (this.err.isTTY ? REDRAW_MS : SAY_EVERY_MS) ||
      (!this.err.isTTY && now - this.since < SAY_EVERY_MS)
    )
      return;
    this.drawnAt = now;
    const percent = Math.max(0, Math.min(100, Math.floor(share * 100)));
    const ms = Math.max(now - this.since, 1);
    const aSecond = Math.round((count / ms) * 1000);
    const rate = `${count.toLocaleString('en')} ${unit}${aSecond > 0 ? `, ${aSecond.toLocaleString('en')} a second` : ''}${remaining(share, ms)}`;
    if (!this.err.isTTY) return void this.err.write(`${this.what}: ${percent} %, ${rate}\n`);
    const full = Math.round((percent / 100) * WIDTH);
    this.drawn = true;
    this.err.write(`\r\u001b[K${this.what} ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${percent} % ${rate}`);
  }

  /** Removes the bar before the result is shown. */
  end(): void {
    if (this.drawn) this.err.write('\r\u001b[K');
    this.drawn = false;
  }
}

/** How long the rest takes at the rate so far; nothing where too little is done to tell. */
function remaining(share: number, ms: number): string {
  if (share < 0.01 || share >= 1) return '';
  const seconds = Math.ceil((ms * (1 - share)) / share / 1000);
  if (seconds < 60) return `, ${seconds} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `, ${minutes} min left` : `, ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
