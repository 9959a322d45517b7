import type { Codec } from '../streams/codec.js';
import type { RecordedEvent } from '../log/port.js';
import type { Position } from '../kernel/index.js';
import type { Queries, Statement } from '../engines/database/database.js';
import { reopenGivenUp, retryDelivery } from './deliveries/reopen.js';
import { deliveryKeyOf, readDeliveryId } from './deliveries/delivery-id.js';
import { lastSequenceOf } from './envelope.js';
import type { WebhookEndpointEvent } from './events.js';
import { WEBHOOKS_PREFIX } from './state.js';

/** What an event of the log changes in the tables of endpoints. */
export interface EndpointChange {
  /** `<site>.<env>` */
  scope: string;
  /** Called once, in the transaction that moves the checkpoint behind the event. */
  apply: (tx: Queries) => Promise<void>;
}

/** What happened to an endpoint, as its tables take it; null where nothing did. Throws UnreadableEvent. */
export function endpointChange(event: RecordedEvent, codec: Codec): EndpointChange | null {
  if (!event.stream.startsWith(WEBHOOKS_PREFIX)) return null;
  const scope = event.stream.slice(WEBHOOKS_PREFIX.length);
  const happened = codec.decode<WebhookEndpointEvent>(event);
  const { position } = event;
  const { actor } = event.metadata;
  return { scope, apply: (tx) => apply(tx, happened, { scope, position, actor }) };
}

interface Recorded {
  scope: string;
  position: Position;
  actor: string;
}

async function apply(tx: Queries, { type, data }: WebhookEndpointEvent, recorded: Recorded): Promise<void> {
  const run = (statement: Statement, ...values: unknown[]) => tx.query(statement, [data.endpointId, ...values]);
  switch (type) {
    case 'WebhookEndpointCreated': {
      const { sealedUrl, types, description, includeIdentifiers, sealedSecret, createdAt } = data;
      const [site, env] = recorded.scope.split('.');
      // It is sent what comes after it.
      const through = lastSequenceOf(recorded.position);
      const settings = [sealedUrl, types, description, includeIdentifiers, sealedSecret];
      await run(CREATED, site, env, ...settings, createdAt, recorded.actor, through);
      return;
    }
    case 'WebhookEndpointChanged': {
      const { sealedUrl = null, types = null, description, includeIdentifiers = null, changedAt } = data;
      const isDescribed = description !== undefined;
      await run(CHANGED, sealedUrl, types, isDescribed, description ?? null, includeIdentifiers, changedAt);
      return;
    }
    case 'WebhookEndpointPaused':
      await run(STOPPED, 'PAUSED', null, data.at);
      return;
    case 'WebhookEndpointDisabled':
      await run(STOPPED, 'DISABLED', data.reason, data.at);
      return;
    case 'WebhookEndpointResumed': {
      const [disabled] = (await run(DISABLED)) as { since: Date }[];
      if (disabled) await reopenGivenUp(tx, data.endpointId, disabled.since);
      await run(RESUMED, data.at);
      return;
    }
    case 'WebhookSecretRotated':
      await run(ROTATED, data.sealedSecret, data.previousUntil, data.rotatedAt);
      return;
    case 'WebhookEndpointDeleted':
      await run(DELETED);
      return;
    case 'WebhookTestRequested':
      // Sent as an event, to this endpoint alone.
      return;
    case 'WebhookReplayRequested': {
      const { replayId, fromSequence, throughSequence, types, requestedAt } = data;
      await run(REPLAY, replayId, fromSequence, throughSequence, types, requestedAt);
      return;
    }
    case 'WebhookDeliveryRetried': {
      const delivery = readDeliveryId(data.deliveryId);
      if (delivery) await retryDelivery(tx, data.endpointId, deliveryKeyOf(delivery));
      return;
    }
  }
}

const CREATED: Statement = {
  name: 'webhooks-endpoint-created',
  text: `insert into webhooks.endpoint (id, site, env, url, types, description, include_identifiers, secret, created_at, changed_at, created_by, enqueued_through)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11)`,
};
/** What was found out of a receiver does not hold of another one. */
const BEGINS_ANEW = 'failing_since = null, consecutive_failures = 0, gone_at = null';
const CHANGED: Statement = {
  name: 'webhooks-endpoint-changed',
  text: `update webhooks.endpoint set url = coalesce($2, url), types = coalesce($3::text[], types), description = case when $4::boolean then $5 else description end,
           include_identifiers = coalesce($6::boolean, include_identifiers), changed_at = $7,
           failing_since = case when $2 is null then failing_since end, consecutive_failures = case when $2 is null then consecutive_failures else 0 end,
           gone_at = case when $2 is null then gone_at end
         where id = $1`,
};
const STOPPED: Statement = {
  name: 'webhooks-endpoint-stopped',
  text: 'update webhooks.endpoint set state = $2, disabled_reason = $3, changed_at = $4 where id = $1',
};
const DISABLED: Statement = {
  name: 'webhooks-endpoint-disabled-since',
  text: `select failing_since as since from webhooks.endpoint where id = $1 and state = 'DISABLED' and failing_since is not null`,
};
const RESUMED: Statement = {
  name: 'webhooks-endpoint-resumed',
  text: `update webhooks.endpoint set state = 'ENABLED', disabled_reason = null, changed_at = $2, ${BEGINS_ANEW} where id = $1`,
};
const ROTATED: Statement = {
  name: 'webhooks-secret-rotated',
  text: 'update webhooks.endpoint set previous_secret = secret, previous_until = $3, secret = $2, changed_at = $4 where id = $1',
};
const DELETED: Statement = { name: 'webhooks-endpoint-deleted', text: 'delete from webhooks.endpoint where id = $1' };
const REPLAY: Statement = {
  name: 'webhooks-replay-requested',
  text: `insert into webhooks.replay (id, endpoint, from_sequence, through_sequence, types, cursor, requested_at)
         select $2, id, $3::bigint, $4::bigint, $5::text[], $3::bigint - 1, $6 from webhooks.endpoint where id = $1`,
};
