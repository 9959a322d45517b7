import { Injectable } from '@nestjs/common';
import { CLOCK_LEEWAY_MS } from '../../streams/key-search.js';
import { epochMs, ulid, type Instant, type Scope } from '../../kernel/index.js';
import { Database, type Statement } from '../../engines/database/database.js';
import { deliveryKeyOf, type DeliveryRef } from './delivery-id.js';
import { WEBHOOK_CHANNEL } from './channel.js';
import type { RequestedReplay } from '../state.js';

const HAS: Statement = {
  name: 'webhook_has_delivery',
  text: `select id from deliveries.delivery where channel = '${WEBHOOK_CHANNEL}' and endpoint = $1 and key = $2 and site = $3 and env = $4`,
};
const LAST: Statement = {
  name: 'webhook_last_event',
  text: 'select sequence from webhooks.event where site = $1 and env = $2 order by sequence desc limit 1',
};
const FROM: Statement = {
  name: 'webhook_event_from',
  text: 'select sequence, id from webhooks.event where site = $1 and env = $2 and sequence >= $3 order by sequence limit 1',
};
const FROM_ID: Statement = {
  name: 'webhook_event_from_id',
  text: 'select sequence, id from webhooks.event where site = $1 and env = $2 and sequence >= $3 and id >= $4 order by sequence limit 1',
};

const REPLAY: Statement = {
  name: 'webhook_replay_finished',
  text: 'select finished_at is not null as finished from webhooks.replay where id = $1',
};
/** A replay that stands in the log and not in the table after so many ms was lost with an older table: it does not run. */
const REPLAY_NOTED_WITHIN_MS = 600_000;

interface Row {
  sequence: bigint;
  id: string;
}

/** What has been told and sent, as far as a command has to know it. Rejects with DependencyUnavailable. */
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
   * none. An id of an event holds when it was recorded; what was recorded is in the order of time as far as clocks agree.
   */
  async firstSince({ site, env }: Scope, since: Instant): Promise<number> {
    const [last] = await this.database.query<Pick<Row, 'sequence'>>(LAST, [site, env]);
    const end = last ? Number(last.sequence) + 1 : 0;
    const before = firstIdOf(epochMs(since) - CLOCK_LEEWAY_MS);
    let [low, high] = [0, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [event] = await this.database.query<Row>(FROM, [site, env, middle]);
      if (event && event.id < before) low = Number(event.sequence) + 1;
      else high = middle;
    }
    const [first] = await this.database.query<Row>(FROM_ID, [site, env, low, firstIdOf(epochMs(since))]);
    return first ? Number(first.sequence) : end;
  }
}

/** No id that is made at this time or later comes before it. */
const firstIdOf = (timeMs: number): string => `evt_${ulid(Math.max(0, timeMs), new Uint8Array(10))}`;
