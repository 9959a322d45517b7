import type pg from 'pg';
import { until as inTime } from './timing.js';
import type { World } from './world.js';

export interface OutboxMail {
  to: string;
  subject: string;
  /** The page that shows the mail, its entities resolved. */
  page: string;
  text: string;
  html: string;
}

/** The first thing that is there; rejects where none is in time. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const { found } = await inTime(async () => {
    const seen = await look();
    return seen !== undefined && { found: seen };
  });
  return found;
}

const resolved = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The newest mails to an address, as the pages of the outbox show them to the operator. Specs share it, so only these are opened. */
export async function mailsTo(world: World, address: string): Promise<OutboxMail[]> {
  const list = await world.request('GET', '/outbox', { key: 'operator' });
  const ids = resolved(list.text)
    .split('<li>')
    .filter((item) => item.includes(`to <bdi>${address}</bdi>`))
    .map((item) => /"outbox\/(\d+)"/.exec(item)![1]!);
  return Promise.all(
    ids.map(async (id): Promise<OutboxMail> => {
      const [shown, html] = await Promise.all([
        world.request('GET', `/outbox/${id}`, { key: 'operator' }),
        world.request('GET', `/outbox/${id}/html`, { key: 'operator' }),
      ]);
      const page = resolved(shown.text);
      return {
        page,
        to: /<dt>To<\/dt><dd><bdi>([^<]*)/.exec(page)![1]!,
        subject: /<title>([^<]*)/.exec(page)![1]!,
        text: page,
        html: resolved(html.text),
      };
    }),
  );
}

/** The code that a mail holds; colours of its style are six digits too. */
export const codeIn = (mail: OutboxMail | undefined): string | undefined =>
  mail && /\b(\d{6})\b/.exec(mail.html.replace(/#[0-9a-f]{6}/g, ''))?.[1];

export const tokenIn = (text: string, prefix: 'cft' | 'uft'): string | null =>
  new RegExp(`${prefix}_[A-Za-z0-9_-]{40,}`).exec(text)?.[0] ?? null;

/** All that the database holds, as text; bytes as hex digits. */
export async function everyCell(database: pg.Client): Promise<string> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const cells: string[] = [];
  for (const { name } of tables)
    cells.push(
      ...(await database.query<{ row: string }>(`select t::text as row from ${name} t`)).rows.map(({ row }) => row),
    );
  return cells.join('\n');
}
