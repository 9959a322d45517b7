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
