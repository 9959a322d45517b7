import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EraseSubjectHandler } from './erase-subject.handler.js';
import { MergeCompletion } from './merge-completion.js';
import { SubjectWorks } from './work.js';

/** Longer than any request may run. */
const OLDER_THAN_MS = 10_000;
const MOST_AT_ONCE = 50;

/** Finish the merges and erasures that a process left when it died. */
export class FinishSubjectWork extends Command<void> {}

@CommandHandler(FinishSubjectWork)
export class FinishSubjectWorkHandler implements ICommandHandler<FinishSubjectWork> {
  constructor(
    private readonly works: SubjectWorks,
    private readonly completion: MergeCompletion,
    private readonly eraser: EraseSubjectHandler,
  ) {}

  async execute(): Promise<void> {
    for (const work of await this.works.unfinished(OLDER_THAN_MS, MOST_AT_ONCE)) {
      if (work.kind === 'erase') await this.eraser.carryOn(work);
      else {
        // What was committed of a merge arrives; what was not is begun again by whoever repeats the request.
        for (const subjectId of work.subjects) await this.completion.settle(work.scope, subjectId);
        await this.works.finish(work.id);
      }
    }
  }
}
