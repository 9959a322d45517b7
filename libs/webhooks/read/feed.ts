import { Inject, Injectable } from '@nestjs/common';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import type { Scope } from '../../kernel/index.js';
import { Database, type Statement } from '../../engines/database/database.js';
import { bodyText, lastSequenceOf } from '../envelope.js';
import { Announcer } from '../announced-events.js';
import { TEST_WEBHOOK } from '../endpoint-announcements.js';
import { WebhookTypes } from '../../context/webhook-types.js';
import { webhookEventsIn, type WebhookEvents } from '../webhook-events.js';
import { appliedThrough } from '../webhook-sink.js';

/** So many events of the log are looked at for one page where only some types are wanted: some 10 ms. */
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
  /** How many events of the log were looked at for it. */
  lookedAt: number;
}

/**
 * Webhook events, to be fetched. Rows become visible in the order of their sequence (see WebhookSink), so that a reader
 * who goes on from the last one misses none while others are written.
 */
@Injectable()
export class EventFeed {
  private readonly events: WebhookEvents;

  constructor(
    private readonly database: Database,
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    types: WebhookTypes,
  ) {
    this.events = webhookEventsIn(log, new Announcer(codec, types));
  }

  /** Which events are on a page is of one moment. Rejects with DependencyUnavailable and LogUnavailable. */
  async page({ scope, after, types, limit }: FeedQuestion): Promise<FeedPage> {
    // Each event of the log has a webhook event; the first may have none behind `after`.
    const lookAt = types === null ? limit + 2 : LOOKED_AT_MAX;
    const values = [scope.site, scope.env, after ?? -1, lookAt, types, limit + 1, NOT_IN_FEEDS];
    const [{ lookedAt, rows, lookedThrough, sequences }] = (await this.database.query<Looked>(PAGE, values)) as [
      Looked,
    ];
    const hasMore = sequences.length > limit;
    const shown = sequences.slice(0, limit);
    const found = await this.events.find(shown.map((sequence) => ({ ...scopeOf(scope), sequence })));
    return {
      bodies: found.flatMap((event) => (event ? [bodyText(event.envelope)] : [])),
      through: hasMore ? shown.at(-1)! : (lookedThrough ?? after),
      hasMore: hasMore || rows === lookAt,
      lookedAt,
    };
  }

  /** Nothing that happened so far has a larger sequence; null where nothing has happened. */
  async end(): Promise<number | null> {
    const through = await appliedThrough(this.database);
    return through < 0n ? null : lastSequenceOf(through);
  }
}

/** Types that are sent to one endpoint alone. */
const NOT_IN_FEEDS: readonly string[] = [TEST_WEBHOOK];

interface Looked {
  /** Rows of events that were read; `lookedAt`: those of them that have a webhook event behind the last page. */
  rows: number;
  lookedAt: number;
  lookedThrough: number | null;
  sequences: number[];
}

const scopeOf = ({ site, env }: Scope): Scope => ({ site, env });

const PAGE: Statement = {
  name: 'webhooks-feed-page',
  text: `
with rows as materialized (
  select e.position, k.types, e.position * 16 + cardinality(k.types) - 1 as last
  from webhooks.event e join webhooks.kind k on k.number = e.kind
  where e.scope = (select s.number from webhooks.scope s where s.site = $1 and s.env = $2) and e.position >= ($3::bigint + 1) >> 4
  order by e.position limit $4
), wanted as (
  select r.position * 16 + a.n - 1 as sequence
  from rows r cross join lateral unnest(r.types) with ordinality as a(type, n)
  where r.last > $3 and r.position * 16 + a.n - 1 > $3 and a.type is not null and a.type <> all($7::text[])
    and ($5::text[] is null or '*' = any($5) or a.type = any($5) or split_part(a.type, '.', 1) || '.*' = any($5))
  order by sequence limit $6
)
select count(*)::int as rows, (count(*) filter (where last > $3))::int as "lookedAt", max(last) filter (where last > $3)::float8 as "lookedThrough",
  array(select sequence::float8 from wanted order by sequence) as sequences
from rows`,
};
