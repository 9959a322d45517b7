import { createHmac, hash } from 'node:crypto';
import { eventText } from '../log/event-text.js';
import type { RecordedEvent } from '../log/port.js';

/** The use of the subject's key from which its salts are derived. */
export const SALT_KEY = 'ledger-salts';

const NO_SALT = Buffer.alloc(32);

/**
 * The record of an event: all that the log holds of it, in one JSON text. Personal fields are sealed in it, so that the
 * ledger hashes them without reading them, and the text stays the same after an erasure.
 */
export function recordText(event: RecordedEvent): string {
  const { id, stream, revision, type } = event;
  const { data, metadata } = eventText(event);
  return `{"id":${JSON.stringify(id)},"stream":${JSON.stringify(stream)},"revision":${revision},"type":${JSON.stringify(type)},"data":${data},"metadata":${metadata}}`;
}

/**
 * A salt of 32 bytes, derived from the subject's key and stored nowhere. Erasure destroys the key, and with it all salts
 * of the subject.
 */
export const saltOf = (key: Uint8Array, eventId: string): Buffer => createHmac('sha256', key).update(eventId).digest();

/**
 * The entry of an event in the tree: SHA-256 over salt and record text, 32 bytes. Without the salt, the holder of a record
 * cannot find out whether an entry is of that record. `salt` null: the subject was erased before the ledger came to the
 * event, and the entry is zeros.
 */
export const entryOf = (record: string, salt: Uint8Array | null): Buffer =>
  hash('sha256', Buffer.concat([salt ?? NO_SALT, Buffer.from(record)]), 'buffer');
