import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** The revision that a tombstone has, and the `$tb` of a softly deleted stream. */
const LAST_OF_ALL = 9223372036854775807n;
const APPEND_BYTES_MAX = 1_048_576;
/** .NET ticks are 100 nanoseconds; EventStoreDB counts them from 1970. */
const TICKS_PER_MS = 10_000n;

export type Expected = bigint | 'no-stream' | 'any' | 'exists';

export interface Proposed {
  id: string;
  type: string;
  contentType: string;
  data: Buffer;
  metadata: Buffer;
}

export interface Stored extends Proposed {
  stream: string;
  revision: bigint;
  position: bigint;
  /** Ticks. */
  created: bigint;
}

export type Appended =
  /** `revision` is null where no event was given; `position` where a repeat met a softly deleted stream. */
  | { outcome: 'success'; revision: bigint | null; position: bigint | null }
  | { outcome: 'wrong-version'; current: bigint | null }
  | { outcome: 'deleted' }
  | { outcome: 'too-big'; most: number };

/**
 * What EventStoreDB does with streams, as far as a recording of it shows: idempotency by expected revision, soft
 * deletion, tombstones, $maxCount and $maxAge. With a file it survives a restart; what the real one forgets at a
 * restart (the ids it knows for `any`) is forgotten here too.
 */
export class Ledger {
  /** What readers see, in log order. */
  readonly all: Stored[] = [];
  /**
   * How long an event that was accepted stays in flight, in ms: it counts where a revision is expected, and no read shows
   * it yet. The real server takes 0.7 ms for it (p50), at most 29 ms were seen.
   */
  inFlightMs: () => number = () => 0;
  private readonly inFlight: Stored[] = [];
  private shown: Promise<void> = Promise.resolve();
  private readonly streams = new Map<string, Stored[]>();
  private readonly tombstoned = new Set<string>();
  private readonly remembered = new Map<string, Stored>();
  private readonly boundaries = new Set<bigint>([0n]);
  private readonly watchers = new Set<() => void>();
  private tail = 400n;

  constructor(private readonly file?: string) {
    if (file && existsSync(file)) {
      for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') this.keep(reviveEvent(line));
    } else {
      // A fresh server holds two events of its own before the first one of a client.
      for (const stream of ['$$$scavenges', '$users'])
        this.write(stream, 0n, {
          id: randomUUID(),
          type: stream === '$users' ? '$UserCreated' : '$metadata',
          contentType: 'application/json',
          data: Buffer.from('{}'),
          metadata: Buffer.alloc(0),
        });
      this.tail = 733n;
    }
  }

  /** Calls back after every write. */
  watch(written: () => void): () => void {
    this.watchers.add(written);
    return () => this.watchers.delete(written);
  }

  append(stream: string, expected: Expected, events: Proposed[]): Appended {
    if (events.reduce((bytes, event) => bytes + event.data.length, 0) > APPEND_BYTES_MAX)
      return { outcome: 'too-big', most: APPEND_BYTES_MAX };
    if (this.tombstoned.has(stream)) return { outcome: 'deleted' };
    const held = this.streams.get(stream) ?? [];
    const last = BigInt(held.length) - 1n;
    const gone = this.isSoftlyDeleted(stream);
    const before = this.repeated(stream, held, expected, events);
    if (before) return { outcome: 'success', revision: before.revision, position: gone ? null : before.position };
    const stands =
      expected === 'any' ||
      (expected === 'exists' ? last >= 0n : expected === 'no-stream' ? last < 0n || gone : expected === last);
    if (!stands) return { outcome: 'wrong-version', current: last < 0n ? null : last };
    if (events.length === 0)
      return { outcome: 'success', revision: last < 0n ? null : last, position: this.allocate(104) };
    const written = events.map((event, i) => this.write(stream, last + 1n + BigInt(i), event));
    if (gone) this.setMetadata(stream, { ...this.metadataOf(stream), $tb: Number(last + 1n) });
    this.announce();
    return { outcome: 'success', revision: written.at(-1)!.revision, position: written.at(-1)!.position };
  }

  /** Soft deletion: the stream reads as not found until somebody appends again. */
  delete(stream: string, expected: Expected): Appended {
    const refused = this.refusesDeletion(stream, expected);
    if (refused) return refused;
    if (!this.streams.has(stream)) return { outcome: 'wrong-version', current: null };
    const position = this.setMetadata(stream, '{"$tb":9223372036854775807}');
    this.announce();
    return { outcome: 'success', revision: null, position };
  }

  tombstone(stream: string, expected: Expected): Appended {
    const refused = this.refusesDeletion(stream, expected);
    if (refused) return refused;
    const { position } = this.write(stream, LAST_OF_ALL, {
      id: randomUUID(),
      type: '$streamDeleted',
      contentType: 'application/octet-stream',
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0),
    });
    this.announce();
    return { outcome: 'success', revision: null, position };
  }

  /** Resolves when readers see everything that was accepted so far: only then an append is acknowledged. */
  visibleSoFar(): Promise<void> {
    return this.shown;
  }

  /** What a reader of the stream may see, oldest first; null where it does not exist. */
  visible(stream: string): { events: Stored[]; last: bigint } | 'not-found' | 'deleted' {
    if (this.tombstoned.has(stream)) return 'deleted';
    const hidden = this.inFlight.filter((event) => event.stream === stream).length;
    const held = this.streams.get(stream)?.slice(0, -hidden || undefined);
    if (!held || held.length === 0 || this.isSoftlyDeleted(stream)) return 'not-found';
    // Of a metadata stream only the newest event is shown.
    const {
      $maxCount: most = stream.startsWith('$$') ? 1 : undefined,
      $maxAge: age,
      $tb: from,
    } = this.metadataOf(stream);
    const since = age === undefined ? -1n : BigInt(Date.now() - age * 1000) * TICKS_PER_MS;
    const events = held
      .slice(most === undefined ? 0 : -most)
      .filter((event) => event.revision >= BigInt(from ?? 0) && event.created > since);
    return { events, last: BigInt(held.length) - 1n };
  }

  /** Index in `all` of the first event at or after a position. */
  indexOf(position: bigint): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.all[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether a record begins there, or the log has not come so far. */
  isBoundary(position: bigint): boolean {
    return position >= this.tail || this.boundaries.has(position);
  }

  /** The event that a repeat was answered with, where these very events are right after the expected revision. */
  private repeated(stream: string, held: Stored[], expected: Expected, events: Proposed[]): Stored | undefined {
    if (events.length === 0) return undefined;
    if (expected === 'any' || expected === 'exists') {
      const known = events.map((event) => this.remembered.get(`${event.id}@${stream}`));
      return known.every((event) => event !== undefined) ? known.at(-1) : undefined;
    }
    const first = expected === 'no-stream' ? 0 : Number(expected) + 1;
    if (first > held.length - 1) return undefined;
    return events.every((event, i) => held[first + i]?.id === event.id) ? held[first + events.length - 1] : undefined;
  }

  private refusesDeletion(stream: string, expected: Expected): Appended | null {
    if (this.tombstoned.has(stream)) return { outcome: 'deleted' };
    const held = this.streams.get(stream);
    const current = held ? BigInt(held.length) - 1n : null;
    return typeof expected === 'bigint' && expected !== current ? { outcome: 'wrong-version', current } : null;
  }

  private isSoftlyDeleted(stream: string): boolean {
    const newest = this.streams.get(`$$${stream}`)?.at(-1);
    return newest !== undefined && /"\$tb":\s*9223372036854775807/.test(newest.data.toString());
  }

  private metadataOf(stream: string): { $maxCount?: number; $maxAge?: number; $tb?: number } {
    const newest = this.streams.get(`$$${stream}`)?.at(-1);
    return newest ? (JSON.parse(newest.data.toString()) as { $maxCount?: number }) : {};
  }

  private setMetadata(stream: string, to: object | string): bigint {
    const data = Buffer.from(typeof to === 'string' ? to : JSON.stringify(to));
    const revision = BigInt(this.streams.get(`$$${stream}`)?.length ?? 0);
    return this.write(`$$${stream}`, revision, {
      id: randomUUID(),
      type: '$metadata',
      contentType: 'application/json',
      data,
      metadata: Buffer.alloc(0),
    }).position;
  }

  /** Records are as long as the real ones, so positions can be compared too. */
  private write(stream: string, revision: bigint, event: Proposed): Stored {
    const position = this.allocate(lengthOf({ ...event, stream }));
    const stored = { ...event, stream, revision, position, created: BigInt(Date.now()) * TICKS_PER_MS };
    this.accept(stored);
    this.remembered.set(`${event.id}@${stream}`, stored);
    if (this.file) appendFileSync(this.file, `${freezeEvent(stored)}\n`);
    return stored;
  }

  private keep(event: Stored): void {
    this.take(event);
    this.all.push(event);
  }

  /** Kept at once, and shown to readers after its time in flight, in log order. */
  private accept(event: Stored): void {
    const ms = this.inFlightMs();
    if (ms === 0 && this.inFlight.length === 0) return this.keep(event);
    this.take(event);
    this.inFlight.push(event);
    const waited = new Promise((resolve) => setTimeout(resolve, ms));
    this.shown = Promise.all([this.shown, waited]).then(() => {
      this.all.push(this.inFlight.shift()!);
      this.announce();
    });
  }

  private take(event: Stored): void {
    this.boundaries.add(event.position);
    if (event.type === '$streamDeleted') this.tombstoned.add(event.stream);
    else {
      const held = this.streams.get(event.stream);
      if (held) held.push(event);
      else this.streams.set(event.stream, [event]);
    }
    const end = event.position + BigInt(lengthOf(event));
    if (end > this.tail) this.tail = end;
  }

  private allocate(bytes: number): bigint {
    const position = this.tail;
    this.boundaries.add(position);
    this.tail += BigInt(bytes);
    return position;
  }

  private announce(): void {
    for (const written of this.watchers) written();
  }
}

const lengthOf = (event: Proposed & { stream: string }): number =>
  90 + Buffer.byteLength(event.stream) + Buffer.byteLength(event.type) + event.data.length + event.metadata.length;

const freezeEvent = (event: Stored): string =>
  JSON.stringify({
    ...event,
    data: event.data.toString('base64'),
    metadata: event.metadata.toString('base64'),
    revision: `${event.revision}`,
    position: `${event.position}`,
    created: `${event.created}`,
  });

function reviveEvent(line: string): Stored {
  const frozen = JSON.parse(line) as Record<keyof Stored, string>;
  return {
    ...frozen,
    data: Buffer.from(frozen.data, 'base64'),
    metadata: Buffer.from(frozen.metadata, 'base64'),
    revision: BigInt(frozen.revision),
    position: BigInt(frozen.position),
    created: BigInt(frozen.created),
  };
}
