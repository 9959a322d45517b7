import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { DoneBy } from '../../commands/decide-on-stream.js';
import { isRefusal, type Refusal, type Scope } from '../../kernel/index.js';
import { Works } from '../../commands/works.js';
import { Vault } from '../../vault/vault.js';
import type { CompletionOutcome, Correction, DataRequestType } from '../events.js';
import { dataRequestRefusals } from '../refusals.js';
import { inClear, RequestViews } from '../request-views.js';
import type { DataRequest } from '../state.js';
import type { Effect, PlannedEffect } from './effects/effect.js';
import { Effects } from './effects/effects.js';
import { RequestChanges, type RequestDone } from './request-changes.js';

/** How often a repeat looks whether the one before it has come to an end, in ms. */
const LOOK_EVERY_MS = 200;
/** How long a repeat waits for that, in ms. A large archive takes longer: its repeat is asked to read the request again. */
const WAIT_MS_MAX = 30_000;

export interface WantedCompletion {
  outcome: CompletionOutcome;
  note?: string;
  /** Absent: those that came with the request. */
  corrections?: readonly Correction[];
}

/**
 * Completes requests in three steps: it records that the completion has begun, carries out its effects, and records that it
 * is done. One process at a time is at the second step, however long that takes. Where it dies, a dispatcher carries on;
 * each effect is done once all the same.
 */
@Injectable()
export class Completions {
  constructor(
    private readonly changes: RequestChanges,
    @Inject(Effects) private readonly effects: { of(type: DataRequestType): Effect },
    private readonly views: RequestViews,
    private readonly works: Works,
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
    if (begun.request.closedAt) return begun;
    const done = await this.settle(scope, requestId, by.actor);
    if (done) return done;
    // A repeat is answered with the outcome, whichever process reached it.
    const request = (await this.views.find(scope, requestId))!;
    return request.closedAt ? { ...begun, request } : dataRequestRefusals.completionStopped();
  }

  /** Finishes a completion that was begun, unless another process is at it. */
  async carryOn(scope: Scope, requestId: string, actor: string): Promise<void> {
    await this.hold(scope, requestId, actor);
  }

  /** The same, after the process that is at it, within the time that a repeat may wait; null where nothing is left to finish. */
  async settle(scope: Scope, requestId: string, actor: string): Promise<RequestDone | Refusal | null> {
    for (const until = performance.now() + WAIT_MS_MAX; ;) {
      const held = await this.hold(scope, requestId, actor);
      if (held) return held.result;
      if (performance.now() > until) return dataRequestRefusals.beingCompleted();
      await pause(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }

  private hold(
    scope: Scope,
    requestId: string,
    actor: string,
  ): Promise<{ result: RequestDone | Refusal | null } | null> {
    const work = { id: requestId, kind: 'complete', scope, subjects: [] } as const;
    return this.works.hold(work, () => this.finish(scope, requestId, actor));
  }

  private async finish(scope: Scope, requestId: string, actor: string): Promise<RequestDone | Refusal | null> {
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
