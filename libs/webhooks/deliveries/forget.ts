import type { Queries } from '../../engines/database/database.js';
import { WEBHOOK_CHANNEL } from './channel.js';

// In the order of their ids, as runners note outcomes: the second one waits, and none locks out another.
const FORGET = {
  name: 'webhooks_forget_payloads',
  text: `update deliveries.delivery set payload = ''
         where id = any(array(
           select id from deliveries.delivery
           where subject_id = any($1) and channel = '${WEBHOOK_CHANNEL}' and finished_at is null and payload <> '' order by id for update))`,
};

/**
 * Takes from deliveries about these subjects the bodies that were made with identifiers. What waits is delivered all the
 * same, without them. What receivers answered is sealed with the subject's key, which is gone by then.
 */
export async function forgetDeliveries(queries: Queries, subjectIds: readonly string[]): Promise<void> {
  await queries.query(FORGET, [subjectIds]);
}
