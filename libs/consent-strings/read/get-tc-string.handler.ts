import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isRefusal, Refused } from '../../kernel/index.js';
import type { TcStringDto } from '../dto.js';
import { cmpOf } from '../tcf/cmp.js';
import { TC_SEGMENTS } from '../tcf/segments.js';
import { OWN_PURPOSES_MAX } from '../tcf/purposes.js';
import { tcDataOf } from '../tcf/tc-data.js';
import { tcStringOf } from '../tcf/tc-string.js';
import { FrameworkAnswers, type FrameworkAnswer } from './framework-answers.js';
import { FrameworkReader, type FrameworkQuestion } from './framework-reader.js';

/** The TC string of a subject. */
export class GetTcString extends Query<FrameworkAnswer<TcStringDto>> {
  constructor(
    readonly question: FrameworkQuestion,
    /** Whether it is answered what the string says, too. */
    readonly withData: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetTcString)
export class GetTcStringHandler implements IQueryHandler<GetTcString> {
  constructor(
    private readonly reader: FrameworkReader,
    private readonly answers: FrameworkAnswers,
  ) {}

  async execute({ question, withData }: GetTcString): Promise<FrameworkAnswer<TcStringDto>> {
    const { caller } = question;
    const cmp = cmpOf(this.reader.site(caller).settings, caller.env);
    if (isRefusal(cmp)) throw new Refused(cmp);
    return this.answers.answer(withData ? 'td' : 't', question, ({ standing, list }) => {
      const made = tcStringOf(standing, list.content, cmp);
      return {
        ...made,
        gdprApplies: standing.dated.rule.frameworks.includes('TCF'),
        cmpId: cmp.id,
        cmpVersion: cmp.version,
        cmpRegistered: cmp.isRegistered,
        vendorListSynthetic: list.isSynthetic,
        segments: TC_SEGMENTS,
        customPurposes: standing.ownPurposes.slice(0, OWN_PURPOSES_MAX),
        ...(withData && { tcData: tcDataOf(made, standing, list.content, cmp) }),
      };
    });
  }
}
