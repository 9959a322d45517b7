import { DependencyUnavailable } from '../engines/dependency-unavailable.js';

/** How long notes are collected before they are written together. A process that is killed loses as much. */
const GATHERED_MS = 1_000;
/** Pause after a write that failed. */
const AGAIN_MS = 1_000;
/** Notes in one write. */
const NOTES_AT_ONCE = 2_000;
/** Most notes that may wait, some 300 bytes each. */
const WAITING_MAX = 50_000;

export interface GatheringOptions<N> {
  /** Writes a group in one statement. */
  write: (group: readonly N[]) => Promise<void>;
  /** Adds a later note of the same name. */
  add: (noted: N, later: N) => N;
  /** What cannot be noted where too many wait. */
  what: string;
}

/**
 * Notes that are counted in memory by name, and written together, once a second and one write at a time: what a caller
 * repeats costs no write of its own. A killed process loses the notes that it had not written; a stopped one writes all.
 */
export class GatheredNotes<N> {
  private waiting = new Map<string, N>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;

  constructor(private readonly options: GatheringOptions<N>) {}

  /** The note of this name that waits. It may be changed. */
  get(name: string): N | undefined {
    return this.waiting.get(name);
  }

  /** Throws DependencyUnavailable where too many wait because the database is away. */
  begin(name: string, note: N): void {
    if (this.waiting.size >= WAITING_MAX) throw new DependencyUnavailable(this.options.what);
    this.waiting.set(name, note);
    this.wake(GATHERED_MS);
  }

  /** Writes the waiting notes. Rejects with DependencyUnavailable; notes that could not be written go on waiting. */
  async write(): Promise<void> {
    while (this.writing) await this.writing.catch(() => undefined);
    this.writing = this.writeAll().finally(() => (this.writing = null));
    await this.writing;
  }

  async stop(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.write().catch(() => undefined);
  }

  private wake(afterMs: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.write().catch(() => this.wake(AGAIN_MS));
    }, afterMs).unref();
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.size > 0) {
      const group = [...this.waiting].slice(0, NOTES_AT_ONCE);
      for (const [name] of group) this.waiting.delete(name);
      try {
        await this.options.write(group.map(([, note]) => note));
      } catch (error) {
        for (const [name, note] of group) this.putBack(name, note);
        throw error;
      }
    }
  }

  private putBack(name: string, note: N): void {
    const later = this.waiting.get(name);
    this.waiting.set(name, later ? this.options.add(note, later) : note);
  }
}
