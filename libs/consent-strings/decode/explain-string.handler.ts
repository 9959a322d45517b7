import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { cmpNamed, TEST_CMP } from '../../access/index.js';
import { disclosedPurposes } from '../../catalogue/index.js';
import { isRefusal, Refused } from '../../kernel/index.js';
import { gppAnswer } from '../gpp/gpp-answer.js';
import { FrameworkReader, type FrameworkQuestion } from '../read/framework-reader.js';
import { tcStringOf } from '../tcf/tc-string.js';
import { VendorLists } from '../vendor-list/vendor-lists.js';
import { explainString, readString, type ExplainedString, type ReadString, type StringFramework } from './explain.js';

/** Explains a framework string. */
export class ExplainString extends Query<ExplainedString> {
  constructor(
    readonly framework: StringFramework,
    readonly text: string,
    /** Names the subject with whose state of today the string is compared; null: no comparison. */
    readonly question: FrameworkQuestion | null,
  ) {
    super();
  }
}

@QueryHandler(ExplainString)
export class ExplainStringHandler implements IQueryHandler<ExplainString> {
  constructor(
    private readonly reader: FrameworkReader,
    private readonly lists: VendorLists,
  ) {}

  async execute({ framework, text, question }: ExplainString): Promise<ExplainedString> {
    const read = asString(readString(framework, text));
    const today = question === null ? null : asString(readString(framework, await this.today(framework, question)));
    const { vendorListVersion } = read;
    const list = vendorListVersion === null ? null : await this.lists.byVersion(vendorListVersion);
    return explainString(framework, read, list?.content ?? null, today);
  }

  /**
   * The string as it would be made now. In `live` too it needs no consent tool, because the comparison ignores the
   * maker.
   */
  private async today(framework: StringFramework, question: FrameworkQuestion): Promise<string> {
    const { ground } = await this.reader.find('d', question);
    const { standing, catalogue, list } = ground!;
    const cmp = cmpNamed(standing.settings, question.caller.env) ?? TEST_CMP;
    const tcString = (): string => tcStringOf(standing, list.content, cmp).tcString;
    if (framework === 'TCF') return tcString();
    return gppAnswer(standing, disclosedPurposes(catalogue, standing.at), tcString).gppString;
  }
}

function asString(read: ReturnType<typeof readString>): ReadString {
  if (isRefusal(read)) throw new Refused(read);
  return read;
}
