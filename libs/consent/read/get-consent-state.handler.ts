import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Refused, type Reader, type Reference } from '../../kernel/index.js';
import type { Asked } from '../circumstances.js';
import type { ConsentQuestion } from '../effective-consent.js';
import { consentRefusals } from '../refusals.js';
import type { ConsentStateView } from '../state-view.js';
import { ConsentAnswers, digestOf, type ConsentFound } from './consent-answers.js';
import { ConsentReader } from './reader.js';

export class GetConsentState extends Query<ConsentStateAnswer> implements ConsentQuestion {
  constructor(
    readonly caller: Reader,
    readonly ref: string | Reference,
    readonly wanted: readonly string[] | undefined,
    readonly asked: Asked,
    readonly options: ConsentQuestion['options'],
  ) {
    super();
  }
}

/** `view` is null where the caller already has this answer. */
export interface ConsentStateAnswer {
  etag: string;
  view: ConsentStateView | null;
}

@QueryHandler(GetConsentState)
export class GetConsentStateHandler implements IQueryHandler<GetConsentState> {
  constructor(
    private readonly answers: ConsentAnswers,
    private readonly reader: ConsentReader,
  ) {}

  async execute(query: GetConsentState): Promise<ConsentStateAnswer> {
    const { wanted } = query;
    const found = await this.answers.snapshot(query, () => (wanted === undefined ? '' : digestOf(wanted.join(' '))));
    return { etag: found.etag, view: found.snapshot && (await this.view(query, found.snapshot, found.at)) };
  }

  private async view(
    { caller, wanted, asked }: GetConsentState,
    snapshot: NonNullable<ConsentFound['snapshot']>,
    at: ConsentFound['at'],
  ): Promise<ConsentStateView> {
    const view = await this.reader.view(caller, snapshot, wanted, at, asked);
    const unknown = wanted?.find((purpose) => !Object.hasOwn(view.purposes, purpose));
    if (unknown !== undefined)
      throw new Refused(consentRefusals.purposeUnknown(unknown, this.reader.purposeKeys(caller)));
    return view;
  }
}
