import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock } from '../../kernel/index.js';
import { invalid } from '../../http/errors/refused.js';
import type { CatalogueFolderDto } from '../dto.js';
import { DraftDesk } from './draft-desk.js';
import { issuesIn } from './draft-files.js';
import { FinishedDraft } from './finished-draft.js';

@QueryHandler(FinishedDraft)
export class FinishedDraftHandler implements IQueryHandler<FinishedDraft, CatalogueFolderDto> {
  constructor(
    private readonly desk: DraftDesk,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope }: FinishedDraft): Promise<CatalogueFolderDto> {
    const { files, catalogue } = await this.desk.atHand(scope);
    const issues = issuesIn(files, catalogue, this.clock());
    if (issues.length > 0) throw invalid(issues, 'Finish the draft first: mend the named entries and save it.');
    return files as CatalogueFolderDto;
  }
}
