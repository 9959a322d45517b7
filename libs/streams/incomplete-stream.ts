import type { RecordedEvent } from '../log/port.js';

/**
 * A stream lacks its first events: on an EventStoreDB its `$maxCount`, `$maxAge` or `$tb` cut them off. The service neither
 * shows the rest nor decides on it, because a withdrawn consent could count as granted.
 */
export class IncompleteStream extends Error {
  constructor(stream: string, revision: number) {
    super(`the stream ${stream} lacks its event of revision ${revision}`);
    this.name = 'IncompleteStream';
  }
}

/** Throws IncompleteStream where a page does not begin with the revision from which it was read forwards. */
export function requireFrom(stream: string, revision: number, page: readonly RecordedEvent[]): void {
  const [first] = page;
  if (first && first.revision !== revision) throw new IncompleteStream(stream, revision);
}
