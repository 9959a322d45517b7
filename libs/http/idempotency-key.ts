import { refusal, Refused } from '../kernel/index.js';

/** 1..255 visible ASCII characters, raw or as a quoted string; null where the header is absent. Refuses anything else. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = Array.isArray(header) ? header.join(',') : header;
  const key = text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  if (isIdempotencyKey(key)) return key;
  throw new Refused(
    refusal(
      'idempotency_key_invalid',
      'The Idempotency-Key cannot be used.',
      'Send 1 to 255 visible ASCII characters, for example a UUID.',
      [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    ),
  );
}

export const isIdempotencyKey = (key: string): boolean => /^[\x21-\x7e]{1,255}$/.test(key);

/** For the documentation of an operation that takes one. */
export const LASTING_IDEMPOTENCY = {
  name: 'Idempotency-Key',
  description:
    'Makes a repeat harmless, for ever: the same key and body give the first answer again, with `Idempotent-Replayed: true`. What changed nothing is not remembered. 1 to 255 visible ASCII characters.',
  required: false,
  example: '5f0c3d1e-8a1b-4c59-9f4e-1f2a3b4c5d6e',
};
export const REPLAYED = { 'Idempotent-Replayed': '`true` where this is the first answer again.' };
