import { Injectable } from '@nestjs/common';
import { CLOCK_LEEWAY_MS } from '../../streams/key-search.js';
import { epochMs, type Instant, type Position, type Scope } from '../../kernel/index.js';
import { Database, type Statement } from '../../engines/database/database.js';
import { deliveryKeyOf, type DeliveryRef } from './delivery-id.js';
import { WEBHOOK_CHANNEL } from './channel.js';
import type { RequestedReplay } from '../state.js';

const HAS: Statement = {
  name: 'webhook_has_delivery',
  text: `select id from deliveries.delivery where channel = '${WEBHOOK_CHANNEL}' and endpoint = $1 and key = $2 and site = $3 and env = $4`,
};
const EVENTS = `from webhooks.event e join webhooks.kind k on k.number = e.kind
  where e.scope = (select s.number from webhooks.scope s where s.site = $1 and s.env = $2)`;
const LAST: Statement = {
  name: 'webhook_last_event',
  text: `select e.position, e.position * 16 + cardinality(k.types) - 1 as sequence ${EVENTS} order by e.position desc limit 1`,
};
const FROM: Statement = {
  name: 'webhook_event_from',
  text: `select e.position, e.recorded_at as at ${EVENTS} and e.position >= $3 order by e.position limit 1`,
};
const FROM_TIME: Statement = {
  name: 'webhook_event_from_time',
  text: `select min(v.sequence) as sequence from webhooks.announced v where v.site = $1 and v.env = $2 and v.position = (
           select e.position ${EVENTS} and e.position >= $3 and e.recorded_at >= $4 order by e.position limit 1)`,
};

const REPLAY: Statement = {
  name: 'webhook_replay_finished',
  text: 'select finished_at is not null as finished from webhooks.replay where id = $1',
};
/** A replay that stands in the log and not in the table after so many ms was lost with an older table: it does not run. */
const REPLAY_NOTED_WITHIN_MS = 600_000;

/** What was announced and sent, as far as a command has to know it. Rejects with DependencyUnavailable. */
@Injectable()
export class StoredDeliveries {
  constructor(private readonly database: Database) {}

  /** Whether there is such a delivery in this site and environment. */
  async has({ site, env }: Scope, { endpoint, ...delivery }: DeliveryRef): Promise<boolean> {
    return (await this.database.query(HAS, [endpoint, deliveryKeyOf(delivery), site, env])).length > 0;
  }

  /** Whether deliveries were made of all that a replay sends. */
  async isOver({ replayId, requestedAt }: RequestedReplay, at: Instant): Promise<boolean> {
    const [noted] = await this.database.query<{ finished: boolean }>(REPLAY, [replayId]);
    return noted?.finished ?? epochMs(at) - epochMs(requestedAt) > REPLAY_NOTED_WITHIN_MS;
  }

  /**
   * The sequence of the first event that was recorded at this moment or later; that behind the last event where there is
   * none. What was recorded is in the order of time as far as clocks agree.
   */
  async firstSince({ site, env }: Scope, since: Instant): Promise<number> {
    const { database } = this;
    const [last] = await database.query<{ position: Position; sequence: bigint }>(LAST, [site, env]);
    if (!last) return 0;
    const before = new Date(epochMs(since) - CLOCK_LEEWAY_MS);
    let [low, high] = [0n, last.position + 1n];
    while (low < high) {
      const middle = (low + high) / 2n;
      const [event] = await database.query<{ position: Position; at: Date }>(FROM, [site, env, middle]);
      if (event && event.at < before) low = event.position + 1n;
      else high = middle;
    }
    const [first] = await database.query<{ sequence: bigint | null }>(FROM_TIME, [site, env, low, since]);
    return Number(first?.sequence ?? last.sequence + 1n);
  }
}
