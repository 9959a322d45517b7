import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DATA_REQUESTS, type DataRequests } from '../../data-requests/intake.js';
import { isRefusal, type Scope } from '../../kernel/index.js';
import { Database } from '../../platform/database/database.js';
import type { Attempted, Delivery } from '../../platform/deliveries/delivery.js';
import { enqueue } from '../../platform/deliveries/queue.js';
import { MasterKey } from '../../platform/vault/master-key.js';
import { wantedOf, type AskedFor } from './asked.js';

/** Channel of the queue in which opt-outs wait for some milliseconds. */
export const OPT_OUT_CHANNEL = 'opt-out';
/** Waits between attempts, while log or database are away; afterwards the operator finds it among what was given up. */
export const OPT_OUT_SCHEDULE_MS: readonly number[] = [
  1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000, 43_200_000, 86_400_000,
];

/**
 * Opt-outs that nobody has to prove. They are taken durably before they are answered, and carried out right behind: what is
 * done about somebody who is known, or made for somebody who is not, cannot show in the time of the answer.
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
    await enqueue(this.database, [
      { channel: OPT_OUT_CHANNEL, endpoint: 'portal', key, scope: { site, env }, subjectId: null, payload },
    ]);
  }

  /** Done again, after a crash before its outcome was noted, it finds what it did. */
  async carryOut({ key, scope, payload }: Delivery): Promise<Attempted<null>> {
    const asked = JSON.parse(this.master.openSecret(sealedFor(key), payload).toString()) as AskedFor;
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

const sealedFor = (key: string): string => `opt-out/${key}`;
