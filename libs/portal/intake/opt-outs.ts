import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DATA_REQUESTS, type DataRequests } from '../../data-requests/services.js';
import type { ForgettingEngines } from '../../context/define-context.js';
import { isRefusal, referenceText, type Reference, type Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import type { Attempted, Delivery } from '../../deliveries/delivery.js';
import { dropKeys, enqueue } from '../../deliveries/queue.js';
import { MasterKey } from '../../vault/master-key.js';
import { wantedOf, type AskedFor } from './asked.js';

/** Channel of the queue in which opt-outs wait for some milliseconds. */
export const OPT_OUT_CHANNEL = 'opt-out';
const QUEUE = { channel: OPT_OUT_CHANNEL, endpoint: 'portal' } as const;
/** Waits between attempts, while log or database are away; afterwards the operator finds it among what was given up. */
export const OPT_OUT_SCHEDULE_MS: readonly number[] = [
  1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000, 43_200_000, 86_400_000,
];

const LOOKED_AT_ONCE = 500;
const WAITING = {
  name: 'opt_outs_waiting',
  text: `select id, key, payload from deliveries.delivery
         where channel = '${OPT_OUT_CHANNEL}' and site = $1 and env = $2 and id > $3 and finished_at is null and payload is not null
         order by id limit ${LOOKED_AT_ONCE}`,
};

/**
 * Opt-outs that need no proof. They are stored durably before they are answered, and carried out right afterwards: the time
 * of the answer cannot show whether the service knew the person or made a new subject.
 */
@Injectable()
export class OptOuts {
  constructor(
    private readonly database: Database,
    private readonly master: MasterKey,
    @Inject(DATA_REQUESTS) private readonly requests: DataRequests,
  ) {}

  async take({ site, env }: Scope, asked: AskedFor): Promise<void> {
    const key = randomBytes(16).toString('base64url');
    const payload = this.master.sealSecret(sealedFor(key), Buffer.from(JSON.stringify(asked)));
    await enqueue(this.database, [{ ...QUEUE, key, scope: { site, env }, subjectId: null, payload }]);
  }

  /** Done again, after a crash before its outcome was noted, it finds what it did. */
  async carryOut({ key, scope, payload }: Delivery): Promise<Attempted<null>> {
    const asked = openedFor(this.master, key, payload);
    const digest = createHash('sha256').update(`opt-out/${key}`).digest('hex');
    const opened = await this.requests.open(scope, wantedOf(asked, null), {
      actor: 'subject:portal',
      key: { digest, fingerprint: digest },
    });
    return isRefusal(opened)
      ? { outcome: 'failed', reason: opened.code, evidence: null }
      : { outcome: 'delivered', evidence: null };
  }
}

/**
 * Ends the opt-outs of these references that still wait: what they are about is gone, and so are the decisions. Whose
 * each one is stands in it alone, so all that wait are opened.
 */
export async function forgetOptOuts(
  { database, master }: ForgettingEngines,
  { site, env }: Scope,
  references: readonly Reference[],
): Promise<void> {
  const theirs = new Set(references.map(referenceText));
  for (let after = 0n; ;) {
    const rows = await database.query<{ id: bigint; key: string; payload: Buffer }>(WAITING, [site, env, after]);
    const keys = rows.filter(({ key, payload }) => theirs.has(referenceText(openedFor(master, key, payload).subject)));
    await dropKeys(
      database,
      QUEUE,
      keys.map(({ key }) => key),
    );
    if (rows.length < LOOKED_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

const openedFor = (master: MasterKey, key: string, payload: Buffer): AskedFor =>
  JSON.parse(master.openSecret(sealedFor(key), payload).toString()) as AskedFor;
const sealedFor = (key: string): string => `opt-out/${key}`;
