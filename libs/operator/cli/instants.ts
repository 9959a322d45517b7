import type { Instant } from '../../kernel/index.js';

/** For tables: `2026-11-22T09:30Z`, one word; nothing for none. With `--json` instants are whole. */
export const toTheMinute = (at: Instant | null): string => (at === null ? '' : `${at.slice(0, 16)}Z`);
