import type { Write } from './connection.js';
import { saidIn } from '../decisions.js';
import { tried } from '../page.js';

/** A write that waits, as it is kept. */
export interface Kept extends Write {
  /** When it was said, by the clock of the device: milliseconds since 1970. */
  at: number;
  /** The latest moment, by the clock of the service, that something has which this browser said before. */
  after?: number;
  /** It was refused, or dated before what was said before it. A refusal is sent as of now then. */
  again?: boolean;
}

/** What may be sent by a page that is opened later. */
const PATHS = /^\/v1\/(consent(\/batch)?|preferences)$/;
/** Characters of an idempotency key. */
const KEY_MAX = 255;

/** Whether it is kept while it cannot be sent. */
export const isKept = ({ path, body }: Write): boolean =>
  PATHS.test(path) && !(JSON.parse(body) as { dryRun?: boolean }).dryRun;

/** Null of what another script has put there. */
export const readKept = (text: string | null): Kept | null =>
  tried(() => {
    const write = JSON.parse(text ?? '') as Kept;
    const isWhole = PATHS.test(write.path) && saidIn(write.body).length > 0;
    return isWhole && typeof write.idempotencyKey === 'string' ? write : null;
  });

/** The key under which a write is sent again: the same in every tab that finds out. */
export const keyAgain = (idempotencyKey: string): string => `again.${idempotencyKey}`.slice(0, KEY_MAX);
