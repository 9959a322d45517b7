import { UnreadableEvent } from '../streams/codec.js';

/** SQLSTATE of an error, also where the database layer wrapped it. */
function sqlState(error: unknown): string | undefined {
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e)
    if (typeof e.code === 'string') return e.code;
  return undefined;
}

/** Values that Postgres refuses (classes 22 and 23): waiting will not make it better. */
export const isAboutTheData = (error: unknown): boolean => /^2[23]...$/.test(sqlState(error) ?? '');

/** Enough to find the cause, and nothing that could be personal: messages of other errors may quote values. */
export function kindOf(error: unknown): string {
  if (error instanceof UnreadableEvent) return `UnreadableEvent: ${error.message}`;
  const name = error instanceof Error ? error.name : typeof error;
  const state = sqlState(error);
  return state ? `${name} ${state}` : name;
}
