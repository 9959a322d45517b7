import type { WebhookTypes } from '../context/webhook-types.js';
import type { Codec } from '../streams/codec.js';
import { readLog } from '../log/log-reading.js';
import type { EventLog, RecordedEvent } from '../log/port.js';
import { notedSkips } from '../following/skipped-events.js';
import { BEGINNING, type Position } from '../kernel/index.js';
import type { Database, Queries } from '../engines/database/database.js';
import { Announcer, type AnnouncedEvent } from './announced-events.js';
import { AnnouncedRows, insertAnnounced } from './announced-rows.js';
import { WEBHOOK_CHANNEL } from './deliveries/channel.js';
import { lastSequenceOf } from './envelope.js';
import type { WebhookEndpointEvent } from './events.js';
import { webhooksFold, WEBHOOKS_PREFIX, type WebhookEndpoint, type WebhooksState } from './state.js';
import { WEBHOOKS } from './webhooks-progress.js';

interface Engines {
  log: EventLog;
  codec: Codec;
  types: WebhookTypes;
  /** For statements that take their time. */
  database: Database;
}

/**
 * Makes events and endpoints anew from a log that took the place of another one, up to this position, in one transaction.
 * No event is sent twice because of that: each endpoint goes on behind the last event that it was sent, or behind the end
 * of this log where that comes first. A delivery that waits goes on under its event; where the log lost the event, it is
 * dropped. May be called again.
 */
export async function beginAnew({ log, codec, types, database }: Engines, through: Position): Promise<void> {
  const announcer = new Announcer(codec, types);
  const leftOut = await notedSkips(database);
  await database.transaction(async (tx) => {
    await tx.run('select 1 from projection.shards where name = $1 for update', [WEBHOOKS]);
    await tx.run('delete from webhooks.event');
    const [{ any }] = (await tx.run<{ any: boolean }>(SOUGHT)) as [{ any: boolean }];
    const rows = new AnnouncedRows(tx);
    const scopes = new Map<string, WebhooksState>();
    let read: Position = BEGINNING;
    await readLog(log, { after: BEGINNING, through, prefixes: types.streams }, async (events, reached) => {
      const wanted = events.filter(({ position }) => !leftOut.has(position, WEBHOOKS));
      const readable = await take(tx, wanted, announcer, { rows, scopes, areSought: any });
      // A reader that goes on from here stops at the event, and reports it.
      if (readable < wanted.length) return ((read = wanted[readable]!.position - 1n), 'enough');
      read = reached;
      return undefined;
    });
    await putEndpoints(tx, scopes, lastSequenceOf(read));
    await tx.run(SHORTEN_REPLAYS, [lastSequenceOf(read)]);
    await tx.run(KEEP_WAITING);
    await tx.run(DROP_LOST);
    await tx.run('update webhooks.applied set through = $1', [read]);
    await tx.run(GO_ON_BEHIND, [WEBHOOKS, read]);
  });
}

interface Taking {
  rows: AnnouncedRows;
  scopes: Map<string, WebhooksState>;
  /** Whether there are deliveries, whose events are looked for. */
  areSought: boolean;
}

/** Notes what is announced and folds what happened to endpoints; answers how many events came before one that cannot be read. */
async function take(
  tx: Queries,
  events: readonly RecordedEvent[],
  announcer: Announcer,
  { rows, scopes, areSought }: Taking,
): Promise<number> {
  const announced: AnnouncedEvent[] = [];
  const [ids, sequences]: [string[], number[]] = [[], []];
  let count = 0;
  try {
    for (const event of events) {
      const own = announcer.announced(event);
      if (areSought)
        for (const { envelope } of own.length > 0 ? announcer.webhookEvents(event) : []) {
          ids.push(envelope.id);
          sequences.push(envelope.sequence);
        }
      announced.push(...own);
      if (event.stream.startsWith(WEBHOOKS_PREFIX)) {
        const scope = event.stream.slice(WEBHOOKS_PREFIX.length);
        const happened = { ...announcer.codec.decode<WebhookEndpointEvent>(event), metadata: event.metadata };
        scopes.set(scope, webhooksFold.evolve(scopes.get(scope) ?? webhooksFold.initial(), happened));
      }
      count += 1;
    }
  } catch {
    // Its writer meets it again.
  }
  if (announced.length > 0) await tx.run(insertAnnounced(1), await rows.of(announced));
  if (ids.length > 0) await tx.run(FOUND, [ids, sequences]);
  return count;
}

/** `end`: the last sequence of this log. */
async function putEndpoints(tx: Queries, scopes: ReadonlyMap<string, WebhooksState>, end: number): Promise<void> {
  const all = [...scopes].flatMap(([scope, { endpoints }]) =>
    Object.values(endpoints).map((endpoint) => ({ scope, endpoint })),
  );
  await tx.run('delete from webhooks.endpoint where id <> all($1::text[])', [all.map(({ endpoint }) => endpoint.id)]);
  for (const { scope, endpoint } of all) await tx.run(PUT, [...scope.split('.'), ...columnsOf(endpoint), end]);
}

const columnsOf = (endpoint: WebhookEndpoint): unknown[] => [
  endpoint.id,
  endpoint.state,
  endpoint.disabledReason,
  endpoint.sealedUrl,
  endpoint.types,
  endpoint.description,
  endpoint.includeIdentifiers,
  endpoint.sealedSecret,
  endpoint.previousSecret?.sealed ?? null,
  endpoint.previousSecret?.until ?? null,
  endpoint.createdAt,
  endpoint.createdBy,
  endpoint.changedAt,
];

const SETTINGS =
  'state, disabled_reason, url, types, description, include_identifiers, secret, previous_secret, previous_until, created_at, created_by, changed_at';
const PUT = `
insert into webhooks.endpoint as e (site, env, id, ${SETTINGS}, enqueued_through)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
on conflict (id) do update set (${SETTINGS}) = row(${SETTINGS.replace(/\w+/g, 'excluded.$&')}),
  enqueued_through = least(e.enqueued_through, excluded.enqueued_through)`;
const SHORTEN_REPLAYS = `
update webhooks.replay set through_sequence = least(through_sequence, $1), cursor = least(cursor, $1) where through_sequence > $1`;
/** The webhook events of all deliveries, by their ids, and where each stands in this log. */
const SOUGHT = `
create temp table webhook_sought (id text primary key, sequence bigint) on commit drop;
insert into webhook_sought (id) select distinct split_part(key, ' ', 1) from deliveries.delivery where channel = '${WEBHOOK_CHANNEL}';
select exists (select from webhook_sought) as any`;
const FOUND = `update webhook_sought s set sequence = f.sequence from unnest($1::text[], $2::bigint[]) as f(id, sequence) where s.id = f.id`;
/** What makes a delivery once is the id of its event, whose sequence is another where positions are. */
const KEEP_WAITING = `
update deliveries.delivery d set sequence = s.sequence from webhook_sought s
where d.channel = '${WEBHOOK_CHANNEL}' and s.id = split_part(d.key, ' ', 1) and s.sequence <> d.sequence`;
const DROP_LOST = `
update deliveries.delivery d
set lease = null, payload = null, settled_at = coalesce(settled_at, now()), finished_at = now(), outcome = '{"outcome":"failed","reason":"dropped","evidence":null}'
from webhook_sought s
where d.channel = '${WEBHOOK_CHANNEL}' and d.finished_at is null and s.id = split_part(d.key, ' ', 1) and s.sequence is null`;
const GO_ON_BEHIND = `
update projection.shards set position = $2, status = 'running', error = null, poison_position = null, owner = null, owned_until = null, updated_at = now()
where name = $1`;
