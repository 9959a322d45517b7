import { Inject, Injectable } from '@nestjs/common';
import { isRefusal, type Refusal } from '../../../kernel/index.js';
import { SUBJECT_RIGHTS, type OnRequest, type SubjectRights } from '../../../subjects/services.js';
import type { RequestEffect } from '../../events.js';
import type { Completing, Effect, PlannedEffect } from './effect.js';

export const onRequest = ({ request, actor }: Completing): OnRequest => ({
  actor,
  request: request.id,
  since: request.receivedAt,
});

/** ERASURE: the subject is erased, with a receipt. A legal hold refuses. */
@Injectable()
export class ErasureEffect implements Effect {
  constructor(@Inject(SUBJECT_RIGHTS) private readonly rights: SubjectRights) {}

  async plan({ scope, request }: Completing): Promise<PlannedEffect | Refusal> {
    return (await this.rights.refusesErasure(scope, request.subjectId)) ?? { kind: 'ERASURE' };
  }

  async carryOut(completing: Completing): Promise<RequestEffect | Refusal> {
    const done = await this.rights.erase(completing.scope, completing.request.subjectId, onRequest(completing));
    return isRefusal(done) ? done : { kind: 'ERASURE', receiptId: done.answer.receiptId };
  }
}

/** RESTRICTION: a hold without an end is laid on the subject. */
@Injectable()
export class RestrictionEffect implements Effect {
  constructor(@Inject(SUBJECT_RIGHTS) private readonly rights: SubjectRights) {}

  plan(): Promise<PlannedEffect> {
    return Promise.resolve({ kind: 'RESTRICTION' });
  }

  async carryOut(completing: Completing): Promise<RequestEffect | Refusal> {
    const done = await this.rights.restrict(completing.scope, completing.request.subjectId, onRequest(completing));
    return isRefusal(done) ? done : { kind: 'RESTRICTION' };
  }
}
