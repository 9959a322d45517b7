import type { RecordedEvent } from '../log/port.js';

/**
 * A stream lacks events that stood before one that it holds: on an EventStoreDB its `$maxCount`, `$maxAge` or `$tb` cut them
 * off. Nothing may be shown of what is left, nor decided on it: what was withdrawn would count as granted.
 */
export class IncompleteStream extends Error {
  constructor(stream: string, revision: number) {
    super(`the stream ${stream} lacks its event of revision ${revision}`);
    this.name = 'IncompleteStream';
  }
}

/** Throws IncompleteStream where a page that was read forwards does not begin with the revision that it was read from. */
export function requireFrom(stream: string, revision: number, page: readonly RecordedEvent[]): void {
  const [first] = page;
  if (first && first.revision !== revision) throw new IncompleteStream(stream, revision);
}
