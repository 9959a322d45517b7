import type { Write } from './connection.js';
import { saidIn } from '../decisions.js';
import { tried } from '../page.js';

/** A waiting write, in its stored form. */
export interface Kept extends Write {
  /** When the person decided, by the clock of the device, in ms since 1970. */
  at: number;
  /** The newest time, by the clock of the service, of an earlier decision of this browser. */
  after?: number;
  /** True if the service refused it, or dated it before an earlier decision. A refusal is then sent as of now. */
  again?: boolean;
}

/** Writes that a page opened later may send. */
const PATHS = /^\/v1\/(consent(\/batch)?|preferences)$/;
/** Characters of an idempotency key. */
const KEY_MAX = 255;

/** Whether the queue keeps this write while it cannot be sent. */
export const isKept = ({ path, body }: Write): boolean =>
  PATHS.test(path) && !(JSON.parse(body) as { dryRun?: boolean }).dryRun;

/** Null if the text is another script's. */
export const readKept = (text: string | null): Kept | null =>
  tried(() => {
    const write = JSON.parse(text ?? '') as Kept;
    const isWhole = PATHS.test(write.path) && saidIn(write.body).length > 0;
    return isWhole && typeof write.idempotencyKey === 'string' ? write : null;
  });

/** The key under which a write is sent again: the same in every tab. */
export const keyAgain = (idempotencyKey: string): string => `again.${idempotencyKey}`.slice(0, KEY_MAX);
