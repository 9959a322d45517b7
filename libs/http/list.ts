import type { ServerResponse } from 'node:http';
import type { HistoryPlace } from '../kernel/index.js';
import { invalid } from './errors/refused.js';
import { Text, Whole } from './contract/fields.js';
import { brokenText } from './contract/text-rules.js';

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 200;
export const CURSOR_MAX_LENGTH = 1000;

/** Query of every list; extend it for filters. */
export class ListQuery {
  @Whole({
    description: 'How many items to answer at most.',
    min: 1,
    max: LIST_LIMIT_MAX,
    default: LIST_LIMIT_DEFAULT,
    example: 50,
    optional: true,
  })
  limit?: number;

  @Text({
    description:
      'Where to go on: `nextCursor` of the page before. Opaque; changing it, or the filters beside it, is not supported.',
    maxLength: CURSOR_MAX_LENGTH,
    pattern: '^[A-Za-z0-9_-]+$',
    patternHint: 'a cursor as it was answered',
    example: 'MSxbIjQyIl0',
    optional: true,
  })
  cursor?: string;
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
  hasMore: boolean;
}

/** Version of the cursor's layout. A cursor of another layout is refused. */
const VERSION = 1;

/** Where a list stopped, as base64url. Anyone can read it, so it may hold only sort keys that are no secret. */
export function writeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([VERSION, ...parts])).toString('base64url');
}

/**
 * The sort keys of a cursor. Refuses with `validation_failed` at `cursor`. `types` names the type of each key; numbers are
 * whole and not negative.
 */
export function readCursor<T extends readonly ('string' | 'number')[]>(
  cursor: string,
  types: T,
): { [I in keyof T]: T[I] extends 'string' ? string : number } {
  try {
    const [version, ...parts] = JSON.parse(
      Buffer.from(cursor.slice(0, CURSOR_MAX_LENGTH), 'base64url').toString('utf8'),
    ) as unknown[];
    if (
      version === VERSION &&
      parts.length === types.length &&
      parts.every(
        (part, i) =>
          typeof part === types[i] &&
          (typeof part === 'number' ? Number.isSafeInteger(part) && part >= 0 : brokenText(String(part)) === null),
      )
    )
      return parts as never;
  } catch {
    // Falls through to the refusal: it is no cursor of ours.
  }
  throw notACursor();
}

const notACursor = (): Error =>
  invalid(
    [{ path: 'cursor', message: 'is not a cursor of this list' }],
    'Send nextCursor exactly as the page before answered it, or leave cursor out to start anew.',
  );

/** Where a history stopped: after which event of the log, and where that stands on its own stream. */
const writeHistoryCursor = ({ position, subjectId, revision }: HistoryPlace): string =>
  writeCursor([position.toString(), subjectId, revision]);

/** The page of a history as it is answered. */
export const historyPageOf = <T>({ data, next }: { data: T[]; next: HistoryPlace | null }): Page<T> => ({
  data,
  nextCursor: next && writeHistoryCursor(next),
  hasMore: next !== null,
});

export function readHistoryCursor(cursor: string): HistoryPlace {
  const [position, subjectId, revision] = readCursor(cursor, ['string', 'string', 'number'] as const);
  if (!/^\d{1,20}$/.test(position)) throw notACursor();
  return { position: BigInt(position), subjectId, revision };
}

/**
 * Makes a page. `items` has one more than `limit` where there is a next page. `key` gives the sort keys of the last item
 * that is shown.
 */
export function pageOf<T>(items: readonly T[], limit: number, key: (last: T) => readonly (string | number)[]): Page<T> {
  const shown = items.slice(0, limit);
  const hasMore = items.length > limit;
  return { data: shown, nextCursor: hasMore ? writeCursor(key(shown.at(-1)!)) : null, hasMore };
}

/** The page as it is answered: the headers lead to the next one. */
export function paged<P extends Pick<Page<unknown>, 'nextCursor'>>(
  { originalUrl }: { originalUrl: string },
  response: ServerResponse,
  page: P,
): P {
  const link = nextLink(originalUrl, page);
  if (link) response.setHeader('Link', link);
  return page;
}

/** `Link` to the next page (RFC 8288), built from the address the caller used; null on the last page. */
export function nextLink(originalUrl: string, page: Pick<Page<unknown>, 'nextCursor'>): string | null {
  if (page.nextCursor === null) return null;
  const [path = '/', query = ''] = originalUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', page.nextCursor);
  // A path that begins with two slashes would be read as another host; `<`, `>` and quotes would end the link early.
  const safe = `/${path.replace(/^\/+/, '')}`.replace(/[<>"\s]/g, encodeURIComponent);
  return `<${safe}?${parameters.toString()}>; rel="next"`;
}
