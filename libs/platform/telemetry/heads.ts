/** Most heads that are remembered: a day of scrapes every two minutes. Of more, every other one is dropped. */
const HEADS_MAX = 720;

/** When the log was first seen to reach which position: so a position can say for how long it has been behind. */
export class Heads {
  /** Positions and times in ms both grow. */
  private seen: { head: bigint; at: number }[] = [];

  saw(head: bigint, at: number): void {
    const last = this.seen.at(-1);
    if (last && head <= last.head) return;
    this.seen.push({ head, at });
    if (this.seen.length > HEADS_MAX) this.seen = this.seen.filter((_, i) => i % 2 === 0 || i === this.seen.length - 1);
  }

  /** For how long something beyond a position has been in the log, in ms; 0 where nothing is. */
  beyondForMs(position: bigint, at: number): number {
    const first = this.seen.find(({ head }) => head > position);
    return first ? Math.max(0, at - first.at) : 0;
  }
}
