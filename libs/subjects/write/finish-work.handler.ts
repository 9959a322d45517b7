import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Scope } from '../../kernel/index.js';
import { EraseSubjectHandler } from './erase-subject.handler.js';
import { MergeCompletion } from './merge-completion.js';
import { Works } from '../../commands/works.js';

/** Finish the merges into a subject and the erasures of it that a process left when it died. */
export class FinishSubjectWork extends Command<void> {
  constructor(
    readonly scope: Scope,
    readonly subjectId: string,
  ) {
    super();
  }
}

@CommandHandler(FinishSubjectWork)
export class FinishSubjectWorkHandler implements ICommandHandler<FinishSubjectWork> {
  constructor(
    private readonly works: Works,
    private readonly completion: MergeCompletion,
    private readonly eraser: EraseSubjectHandler,
  ) {}

  async execute({ scope, subjectId }: FinishSubjectWork): Promise<void> {
    for (const work of await this.works.unfinished(scope, subjectId)) {
      if (work.kind === 'erase') await this.eraser.carryOn(work);
      else {
        // A merge that was committed is completed. One that was not begins again when its request is repeated.
        for (const each of work.subjects) await this.completion.settle(work.scope, each);
        await this.works.finish(work.id);
      }
    }
  }
}
