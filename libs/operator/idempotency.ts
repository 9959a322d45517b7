import type { Codec } from '../streams/codec.js';
import type { RecordedEvent } from '../log/port.js';
import { BEGINNING, type Position } from '../kernel/index.js';
import { KeyIndex, type KeyDifference, type KeyInLog } from '../commands/key-index.js';
import { itemDigest } from '../commands/item-keys.js';
import type { SubjectErased } from '../subjects/index.js';
import type { Engines } from './engines.js';
import { KeysInLog } from './keys-in-log.js';
import { readLog } from '../log/log-reading.js';

/** Most differences that are named. */
const MOST_NAMED = 20;

/** What was read of the log. */
interface Read {
  events: number;
  /** Events that hold the key of a request, each counted. */
  keys: number;
  /** Subjects that the log says were erased. */
  erased: number;
  /** The log was read up to here. */
  through: Position;
}

export interface KeysRebuilt extends Read {
  /** Rows of keys that were missing, or stood for another request. */
  written: number;
  /** Erased subjects that were not noted. */
  erasedWritten: number;
}

export interface KeysVerified extends Read {
  missing: number;
  /** Keys that stand for another request than in the log, or name no subject where the log does. */
  other: number;
  erasedMissing: number;
  first: KeyDifference[];
}

type Look = (share: number, events: number) => void;

/**
 * Writes the index of idempotency keys, and the list of erased subjects, from the log. It leaves the rows of requests as
 * they are. Keys under which nothing was recorded are not in the log. May run while the service runs; until a key is
 * written, the service takes a repeated request with it for a new one.
 */
export async function rebuildKeys(engines: Engines, look: Look): Promise<KeysRebuilt> {
  const index = new KeyIndex(engines.database);
  let written = 0;
  let erasedWritten = 0;
  const read = await readKeys(engines, look, async (keys, erased) => {
    // Erased subjects are noted first: no answer about them may be repeated.
    erasedWritten += await index.putErased(erased);
    written += await index.put(keys);
  });
  return { ...read, written, erasedWritten };
}

/** Compares the index with the log. Changes nothing. */
export async function verifyKeys(engines: Engines, look: Look): Promise<KeysVerified> {
  const index = new KeyIndex(engines.database);
  const found = { missing: 0, other: 0, erasedMissing: 0, first: [] as KeyDifference[] };
  const read = await readKeys(engines, look, async (keys, erased) => {
    for (const difference of await index.differences(keys)) {
      found[difference.fault === 'MISSING' ? 'missing' : 'other'] += 1;
      if (found.first.length < MOST_NAMED) found.first.push(difference);
    }
    found.erasedMissing += (await index.erasedLacking(erased)).length;
  });
  return { ...read, ...found };
}

/** The subjects that an event says were erased. */
export function erasedBy(codec: Codec, event: RecordedEvent): string[] {
  if (event.type !== 'SubjectErased') return [];
  const { rootId, erasedTogether } = codec.decode(event).data as SubjectErased['data'];
  return [rootId, ...erasedTogether];
}

/** Reads keys and erasures from the log, and calls back batch by batch. */
async function readKeys(
  { log, codec, master }: Engines,
  look: Look,
  take: (keys: readonly KeyInLog[], erased: readonly string[]) => Promise<void>,
): Promise<Read> {
  const through = await log.head();
  const keysInLog = new KeysInLog((scope, batch, index) => itemDigest(master, scope, batch, index));
  const read: Read = { events: 0, keys: 0, erased: 0, through };
  await readLog(log, { after: BEGINNING, through, prefixes: [] }, async (events, reached) => {
    const keys = events.flatMap((event) => keysInLog.of(event));
    const erased = [...new Set(events.flatMap((event) => erasedBy(codec, event)))];
    await take(keys, erased);
    read.events += events.length;
    read.keys += keys.length;
    read.erased += erased.length;
    look(Number(reached + 1n) / Number(through + 1n), read.events);
  });
  return read;
}
