import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, isRefusal, type Clock, type Scope } from '../../kernel/index.js';
import { decideRequest } from '../decide.js';
import { RequestViews } from '../request-views.js';
import { isOpen, nextChoreAt } from '../state.js';
import { Completions } from './completions.js';
import { OperatorMails } from './operator-mails.js';
import { RequestChanges } from './request-changes.js';
import { RequestIndex } from './request-index.js';

const BY = { actor: 'system:data-requests' };

/** Do what time demands of the requests of a subject. Running it twice is running it once. */
export class HandleDueRequests extends Command<void> {
  constructor(
    readonly scope: Scope,
    readonly subjectId: string,
  ) {
    super();
  }
}

@CommandHandler(HandleDueRequests)
export class HandleDueRequestsHandler implements ICommandHandler<HandleDueRequests> {
  constructor(
    private readonly index: RequestIndex,
    private readonly views: RequestViews,
    private readonly changes: RequestChanges,
    private readonly completions: Completions,
    private readonly mails: OperatorMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, subjectId }: HandleDueRequests): Promise<void> {
    for (const id of await this.index.of(scope, [subjectId])) await this.look(scope, id);
    for (const id of await this.index.ofNobody(scope, subjectId)) await this.cancel(scope, id);
  }

  /** Finishes what a dead process left, lets unproved requests expire, and records which dates have come. */
  private async look(scope: Scope, id: string): Promise<void> {
    const request = await this.views.find(scope, id);
    const due = request && nextChoreAt(request);
    if (due === null || due > this.clock()) return;
    if (request!.completing) await this.completions.carryOn(scope, id, BY.actor);
    else {
      const decided = decideRequest({ type: 'look' }, request, this.clock());
      // The mail first: a process that dies in between leaves both to the next look, which sends no second mail.
      if (!isRefusal(decided)) for (const event of decided.events) await this.mails.tell(scope, event);
      await this.changes.change(scope, id, { type: 'look' }, BY);
    }
  }

  /** A request that is just being completed is left to its completion: that may be the erasure itself. */
  private async cancel(scope: Scope, id: string): Promise<void> {
    const request = await this.views.find(scope, id);
    if (request && isOpen(request)) {
      const done = await this.changes.change(scope, id, { type: 'cancel', reason: 'SUBJECT_ERASED' }, BY);
      if (isRefusal(done)) return;
    }
    await this.index.noteAnsweredNobody(id);
  }
}
