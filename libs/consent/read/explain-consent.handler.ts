import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isRefusal, parseReference, Refused, type Instant, type Reader, type Work } from '../../kernel/index.js';
import { ReplayCost } from '../../streams/replay-cost.js';
import { consentRefusals } from '../refusals.js';
import type { Asked } from '../circumstances.js';
import type { ExplanationDto } from './dto.js';
import { ConsentReader } from './reader.js';

/** Why a purpose is allowed or blocked for a subject. Always answered from the stream itself. */
export class ExplainConsent extends Query<ExplanationDto> {
  constructor(
    readonly caller: Reader,
    readonly ref: string,
    readonly purpose: string,
    /** Null: now. */
    readonly asOf: Instant | null,
    readonly asked: Asked,
    /** Takes down what is read from the log for it. */
    readonly work: Work,
  ) {
    super();
  }
}

@QueryHandler(ExplainConsent)
export class ExplainConsentHandler implements IQueryHandler<ExplainConsent> {
  constructor(private readonly reader: ConsentReader) {}

  async execute({ caller, ref, purpose, asOf, asked, work }: ExplainConsent): Promise<ExplanationDto> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const at = asOf ?? this.reader.clock();
    const snapshot = await this.reader.find(caller, reference, (subjectId) =>
      asOf === null
        ? this.reader.fold(caller, subjectId, work)
        : this.reader.foldAsOf(caller, subjectId, { asOf }, new ReplayCost(work)),
    );
    const explained = await this.reader.explain(caller, snapshot, purpose, at, asked);
    if (!explained) throw new Refused(consentRefusals.purposeUnknown(purpose, this.reader.purposeKeys(caller)));
    return {
      subject: { id: snapshot.subjectId },
      purpose,
      asOf: at,
      effective: explained.effective,
      effectiveReason: explained.reason,
      because: explained.because,
    };
  }
}
