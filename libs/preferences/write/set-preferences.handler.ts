import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  CATALOGUE,
  checkFrequency,
  checkValue,
  resolveField,
  templateInForce,
  templateView,
  topicPath,
  type Catalogue,
  type PublishedTemplate,
} from '../../catalogue/index.js';
import {
  CLOCK,
  epochMs,
  isRefusal,
  newId,
  parseInstant,
  parseReference,
  Refused,
  type Clock,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import { provenanceOf, type Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { keyScopeOf } from '../../platform/idempotency/key-scope.js';
import { answered, type Repeatable } from '../../platform/idempotency/once.js';
import { idBytes } from '../../platform/id-bytes.js';
import { RECEIPT_TOKENS, type ReceiptTokens } from '../../receipts/index.js';
import { causeOf } from '../../subjects/writer.js';
import { checkPreferences, setPreferences, type SetPreferences as PreferenceCommand, type Wish } from '../decide.js';
import type { PreferenceSetData } from '../events.js';
import { verifiedByChannel } from '../known-channels.js';
import { preferenceRecordView, type PreferenceRecordView } from '../view.js';
import type { PreferenceValueDto, SetPreferencesDto } from './dto.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** Record what a subject wants. */
export class SetPreferences extends Command<RecordedPreferences> {
  constructor(
    readonly caller: Caller,
    readonly input: SetPreferencesDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

/** With the capability to read its receipt. */
export type AnsweredPreferences = PreferenceRecordView & { receiptToken: string };
export type RecordedPreferences = Repeatable<AnsweredPreferences>;

@CommandHandler(SetPreferences)
export class SetPreferencesHandler implements ICommandHandler<SetPreferences> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly reservations: IdempotencyReservations,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(RECEIPT_TOKENS) private readonly receipts: ReceiptTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey }: SetPreferences): Promise<RecordedPreferences> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const at = this.clock();
    const command = this.prepare(caller, input, at);
    const written = await this.writer.write(
      { scope: caller, reference },
      {
        key: this.reservations.keyOf(keyScopeOf(caller, [reference]), idempotencyKey, 'POST', '/v1/preferences', input),
        decide: isRefusal(command) ? command : (state) => setPreferences(command, state, at),
      },
      { ...causeOf(caller, at), countedFor: caller },
    );
    const { answer, position, replayed } = answered(written);
    const event = answer.events.find(({ type }) => type === 'PreferenceSet')!;
    const view = preferenceRecordView(answer.subjectId, event.revision, event.data as PreferenceSetData);
    return { answer: { ...view, receiptToken: this.receipts.of(view.receiptId) }, position, replayed };
  }

  /** Everything that can be refused before any subject is looked up or made. */
  private prepare(caller: Caller, input: SetPreferencesDto, at: Instant): PreferenceCommand | Refusal {
    const template = templateInForce(this.catalogue.of(caller), at);
    const { subject, channel, values = [], source = 'API', givenAt, ...rest } = input;
    const wishes = values.map((value, i) => wishOf(template, value, channel, `values[${i}]`));
    const refused = wishes.find(isRefusal);
    if (refused) return refused;
    const { version, locale, contentHash } = templateView(
      template,
      input.collection?.locale === undefined ? [] : [input.collection.locale],
    );
    const command: PreferenceCommand = {
      ...rest,
      recordId: newId('rec', epochMs(at), idBytes),
      wishes: wishes as Wish[],
      source,
      ...(givenAt !== undefined && { givenAt: parseInstant(givenAt)! }),
      template: { version, locale, contentHash },
      provenance: provenanceOf(caller, subject),
      verifiedBy: verifiedByChannel(template),
    };
    return checkPreferences(command, at) ?? command;
  }
}

/** A value as it was sent, found in the template and fit for its field. */
function wishOf(
  template: PublishedTemplate | undefined,
  { field, value, frequency, pausedUntil }: PreferenceValueDto,
  channel: string | undefined,
  path: string,
): Wish | Refusal {
  const resolved = resolveField(template, field, channel, `${path}.field`);
  if (isRefusal(resolved)) return resolved;
  const refused =
    (value === undefined ? null : checkValue(resolved, value, `${path}.value`)) ??
    (frequency === undefined ? null : checkFrequency(resolved, frequency, `${path}.frequency`));
  if (refused) return refused;
  return {
    resolved,
    field: resolved.kind === 'topic' ? topicPath(resolved.channel, resolved.topic) : resolved.key,
    ...(value !== undefined && { value }),
    ...(frequency !== undefined && { frequency }),
    ...(pausedUntil !== undefined && { pausedUntil: pausedUntil === null ? null : parseInstant(pausedUntil)! }),
  };
}
