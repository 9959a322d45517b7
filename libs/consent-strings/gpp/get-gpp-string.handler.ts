import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { cmpNamed } from '../../access/index.js';
import { disclosedPurposes } from '../../catalogue/index.js';
import { FrameworkAnswers, type FrameworkAnswer } from '../read/framework-answers.js';
import { FrameworkReader, type FrameworkQuestion } from '../read/framework-reader.js';
import { tcStringOf } from '../tcf/tc-string.js';
import { gppAnswer, type GppAnswer } from './gpp-answer.js';

/** The GPP string of a subject. */
export class GetGppString extends Query<FrameworkAnswer<GppAnswer>> {
  constructor(readonly question: FrameworkQuestion) {
    super();
  }
}

@QueryHandler(GetGppString)
export class GetGppStringHandler implements IQueryHandler<GetGppString> {
  constructor(
    private readonly reader: FrameworkReader,
    private readonly answers: FrameworkAnswers,
  ) {}

  async execute({ question }: GetGppString): Promise<FrameworkAnswer<GppAnswer>> {
    const { caller } = question;
    const cmp = cmpNamed(this.reader.site(caller).settings, caller.env);
    return this.answers.answer('g', question, ({ standing, catalogue, list }) =>
      gppAnswer(
        standing,
        disclosedPurposes(catalogue, standing.at),
        () => cmp && tcStringOf(standing, list.content, cmp).tcString,
      ),
    );
  }
}
