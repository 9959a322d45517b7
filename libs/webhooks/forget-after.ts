import type { Position } from '../kernel/index.js';
import type { Database } from '../platform/database/database.js';
import { lastSequenceOf } from './envelope.js';
import { WEBHOOKS } from './webhooks-progress.js';

/**
 * Forgets what was told of events after this position, which the log does not hold any more: their positions, and with
 * them their sequences, are given to others. Who was sent them keeps them; each goes on where the log ended.
 */
export function forgetAfter(database: Database, through: Position): Promise<void> {
  return database.transaction(async (tx) => {
    const last = lastSequenceOf(through);
    await tx.run('select 1 from projection.shards where name = $1 for update', [WEBHOOKS]);
    await tx.run('delete from webhooks.event where sequence > $1', [last]);
    await tx.run('update webhooks.applied set through = least(through, $1)', [through]);
    await tx.run('update webhooks.endpoint set enqueued_through = $1 where enqueued_through > $1', [last]);
    await tx.run('delete from webhooks.replay where from_sequence > $1', [last]);
    await tx.run(
      'update webhooks.replay set through_sequence = least(through_sequence, $1), cursor = least(cursor, $1) where through_sequence > $1',
      [last],
    );
    await tx.run(
      `update projection.shards set position = least(position, $2), status = 'running', error = null, poison_position = null, owner = null, owned_until = null, updated_at = now() where name = $1`,
      [WEBHOOKS, through],
    );
  });
}
