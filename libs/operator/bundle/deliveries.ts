import type { Instant, Scope } from '../../kernel/index.js';
import { everyDelivery, openUrl } from '../../webhooks/index.js';
import type { Engines } from '../engines.js';
import type { Members } from './members.js';

/** Writes webhook deliveries that had ended at a moment, the oldest first. `subjectIds` null: of all subjects. */
export async function writeDeliveries(
  { database, master }: Pick<Engines, 'database' | 'master'>,
  members: Members,
  scope: Scope,
  asked: { subjectIds: readonly string[] | null; from: Instant | null; until: Instant },
): Promise<void> {
  const list = await members.open('deliveries.jsonl');
  const deliveries = everyDelivery(database, scope, asked, (endpoint, sealed) => openUrl(master, endpoint, sealed));
  for await (const delivery of deliveries) await list.write(`${JSON.stringify(delivery)}\n`);
  await members.end(list);
}
