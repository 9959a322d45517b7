import { Injectable } from '@nestjs/common';
import type { DoneBy } from '../../event-log/append-once.js';
import { isRefusal, type Refusal, type Scope } from '../../kernel/index.js';
import { Vault } from '../../platform/vault/vault.js';
import type { CompletionOutcome, Correction } from '../events.js';
import { dataRequestRefusals } from '../refusals.js';
import { inClear, RequestViews } from '../request-views.js';
import type { DataRequest } from '../state.js';
import type { PlannedEffect } from './effects/effect.js';
import { Effects } from './effects/effects.js';
import { RequestChanges, type RequestDone } from './request-changes.js';

export interface WantedCompletion {
  outcome: CompletionOutcome;
  note?: string;
  /** Absent: those that came with the request. */
  corrections?: readonly Correction[];
}

/**
 * Completes requests in three steps: it says in the log that the completion has begun, does what is to be done, and says
 * that it is done. Whoever dies in between leaves the second step to a dispatcher; each effect is done once all the same.
 */
@Injectable()
export class Completions {
  constructor(
    private readonly changes: RequestChanges,
    private readonly effects: Effects,
    private readonly views: RequestViews,
    private readonly vault: Vault,
  ) {}

  /** What completing would do now; a Refusal where it would be refused. */
  async plan(
    scope: Scope,
    request: DataRequest,
    actor: string,
    corrections?: WantedCompletion['corrections'],
  ): Promise<PlannedEffect | Refusal> {
    const clear = inClear(request, await this.vault.cipherOf(request.subjectId));
    const texts = { ...clear.texts, ...(corrections && { corrections }) };
    return this.effects.of(request.type).plan({ scope, request: { ...clear, texts }, actor });
  }

  /** Begins, and goes on to the end. What would be refused is not begun. */
  async complete(
    scope: Scope,
    requestId: string,
    wanted: WantedCompletion,
    by: DoneBy,
  ): Promise<RequestDone | Refusal> {
    const before = await this.views.find(scope, requestId);
    if (!before) return dataRequestRefusals.notFound();
    if (!before.completing && !before.closedAt) {
      const planned = await this.plan(scope, before, by.actor, wanted.corrections);
      if (isRefusal(planned)) return planned;
    }
    const begun = await this.changes.change(scope, requestId, { type: 'beginCompletion', ...wanted }, by);
    if (isRefusal(begun)) return begun;
    // A repeat is answered with what it came to, whoever did it.
    return (await this.carryOn(scope, requestId, by.actor)) ?? begun;
  }

  /** Finishes a completion that was begun; null where there is none that is not finished. */
  async carryOn(scope: Scope, requestId: string, actor: string): Promise<RequestDone | Refusal | null> {
    const request = await this.views.find(scope, requestId);
    if (!request?.completing) return null;
    const clear = inClear(request, await this.vault.cipherOf(request.subjectId));
    const effect = await this.effects.of(request.type).carryOut({ scope, request: clear, actor });
    const by = { actor };
    if (!isRefusal(effect)) return this.changes.change(scope, requestId, { type: 'complete', effect }, by);
    const stopped = await this.changes.change(scope, requestId, { type: 'stopCompletion', code: effect.code }, by);
    return isRefusal(stopped) ? stopped : effect;
  }
}
