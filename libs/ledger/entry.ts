import { createHmac, hash } from 'node:crypto';
import { eventText } from '../log/event-text.js';
import type { RecordedEvent } from '../log/port.js';

/** What the key is for from which the salts of a subject follow. */
export const SALT_KEY = 'ledger-salts';

const NO_SALT = Buffer.alloc(32);

/**
 * One event as the ledger knows it: all that the log holds of it, in one JSON text. What is personal in it is sealed
 * there, so that nobody has to read it in order to hash it, and it stays the same when the subject is erased.
 */
export function recordText(event: RecordedEvent): string {
  const { id, stream, revision, type } = event;
  const { data, metadata } = eventText(event);
  return `{"id":${JSON.stringify(id)},"stream":${JSON.stringify(stream)},"revision":${revision},"type":${JSON.stringify(type)},"data":${data},"metadata":${metadata}}`;
}

/**
 * 32 bytes that nobody can guess without the key of the subject. They follow from it and are stored nowhere: with the
 * key, erasure destroys all salts of the subject.
 */
export const saltOf = (key: Uint8Array, eventId: string): Buffer => createHmac('sha256', key).update(eventId).digest();

/**
 * What stands in the tree for an event: SHA-256 over salt and record text, 32 bytes. Without the salt nobody can tell
 * whether an entry is that of a record that they have. `salt` null: the subject was erased before the ledger came to the
 * event; zeros stand for it.
 */
export const entryOf = (record: string, salt: Uint8Array | null): Buffer =>
  hash('sha256', Buffer.concat([salt ?? NO_SALT, Buffer.from(record)]), 'buffer');
