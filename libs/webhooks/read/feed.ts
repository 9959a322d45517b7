import { Injectable } from '@nestjs/common';
import type { Scope } from '../../kernel/index.js';
import { Database, type Statement } from '../../engines/database/database.js';
import { lastSequenceOf } from '../envelope.js';
import { appliedThrough } from '../webhook-sink.js';

/** So many events are looked at for one page where only some types are wanted: some 10 ms. */
const LOOKED_AT_MAX = 10_000;

export interface FeedQuestion {
  scope: Scope;
  /** A sequence, exclusive; null: from the beginning. */
  after: number | null;
  /** See `namesType`; null: every type. */
  types: readonly string[] | null;
  /** Most events that are answered. */
  limit: number;
}

/** Webhook events in the order of their sequence, which is that of the log. */
export interface FeedPage {
  /** As they are delivered, to the byte. */
  bodies: readonly string[];
  /** Everything up to here was dealt with; null: there is nothing yet. */
  through: number | null;
  /** Whether there is more at this moment, which may be of other types. */
  hasMore: boolean;
  /** How many events were looked at for it. */
  lookedAt: number;
}

/**
 * What webhooks tell, to be fetched. Rows become visible in the order of their sequence (see WebhookSink), so that whoever
 * goes on from the last one misses none while others are written.
 */
@Injectable()
export class EventFeed {
  constructor(private readonly database: Database) {}

  /** One statement, so that a page is of one moment. */
  async page({ scope, after, types, limit }: FeedQuestion): Promise<FeedPage> {
    const lookAt = types === null ? limit + 1 : LOOKED_AT_MAX;
    const values = [scope.site, scope.env, after ?? -1, lookAt, types, limit + 1];
    const rows = await this.database.query<Row>(PAGE, values);
    const [{ looked_at: lookedAt, looked_through: lookedThrough }] = rows as [Row];
    const found = rows.filter(({ body }) => body !== null);
    if (found.length > limit) {
      const shown = found.slice(0, limit);
      return { bodies: bodiesOf(shown), through: Number(shown.at(-1)!.sequence), hasMore: true, lookedAt };
    }
    const through = lookedThrough === null ? after : Number(lookedThrough);
    return { bodies: bodiesOf(found), through, hasMore: lookedAt === lookAt, lookedAt };
  }

  /** Nothing that happened so far has a larger sequence; null where nothing has happened. */
  async end(): Promise<number | null> {
    const through = await appliedThrough(this.database);
    return through < 0n ? null : lastSequenceOf(through);
  }
}

interface Row {
  looked_at: number;
  looked_through: bigint | null;
  sequence: bigint | null;
  body: string | null;
}

const bodiesOf = (rows: readonly Row[]): string[] => rows.map(({ body }) => body!);

const PAGE: Statement = {
  name: 'webhooks-feed-page',
  text: `
with looked_at as materialized (
  select sequence, type, endpoint from webhooks.event
  where site = $1 and env = $2 and sequence > $3 order by sequence limit $4
), wanted as materialized (
  select sequence from looked_at
  where endpoint is null and ($5::text[] is null or '*' = any($5) or type = any($5) or split_part(type, '.', 1) || '.*' = any($5))
  order by sequence limit $6
)
select (select count(*) from looked_at)::int as looked_at, (select max(sequence) from looked_at) as looked_through, e.sequence, e.body
from (values (true)) as one(row)
left join (wanted w join webhooks.event e on e.site = $1 and e.env = $2 and e.sequence = w.sequence) on true
order by e.sequence`,
};
