import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  CATALOGUE,
  PRESENTATIONS,
  sameBanner,
  shownPurpose,
  templateInForce,
  templateView,
  type Catalogue,
  type Presentation,
  type Presentations,
} from '../../catalogue/index.js';
import { checkedTwice, givenAtOf, givenTwice, withoutAge } from '../../consent/index.js';
import {
  CLOCK,
  epochMs,
  isRefusal,
  newId,
  parseReference,
  Refused,
  type Clock,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import { provenanceOf, type Caller } from '../../http/caller.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { answered, type Repeatable } from '../../commands/once.js';
import { idBytes } from '../../engines/id-bytes.js';
import { RECEIPT_TOKENS, type ReceiptTokens } from '../../receipts/index.js';
import { causeOf } from '../../subjects/services.js';
import { checkPreferences, setPreferences, type SetPreferences as PreferenceCommand, type Wish } from '../decide.js';
import type { PreferenceSetData } from '../events.js';
import { verifiedByChannel } from '../known-channels.js';
import { preferenceRecordView, type PreferenceRecordView } from '../view.js';
import { wishOf } from '../wish.js';
import type { SetPreferencesDto } from './dto.js';
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
    @Inject(PRESENTATIONS) private readonly presentations: Presentations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey }: SetPreferences): Promise<RecordedPreferences> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const at = this.clock();
    const command = this.prepare(caller, input, await this.shownWith(caller, input, at), at);
    const written = await this.writer.write(
      { scope: caller, reference },
      {
        key: this.reservations.keyOf(
          keyScopeOf(caller, [reference]),
          idempotencyKey,
          'POST',
          '/v1/preferences',
          withoutAge(input),
        ),
        decide: isRefusal(command) ? command : (state) => setPreferences(command, state, at),
      },
      { countedFor: caller, ...causeOf(caller, at) },
    );
    const { answer, position, replayed } = answered(written);
    const event = answer.events.find(({ type }) => type === 'PreferenceSet')!;
    const view = preferenceRecordView(answer.subjectId, event.revision, event.data as PreferenceSetData);
    return { answer: { ...view, receiptToken: this.receipts.of(view.receiptId) }, position, replayed };
  }

  /** What the presentation token says was shown, or why it does not count; null where none came. */
  private async shownWith(
    caller: Caller,
    input: SetPreferencesDto,
    at: Instant,
  ): Promise<Presentation | Refusal | null> {
    const token = input.collection?.presentationToken;
    if (token === undefined) return null;
    return this.presentations.read(caller, token, givenAtOf(input, at) ?? at);
  }

  /** Everything that can be refused before any subject is looked up or made. */
  private prepare(
    caller: Caller,
    input: SetPreferencesDto,
    presentation: Presentation | Refusal | null,
    at: Instant,
  ): PreferenceCommand | Refusal {
    const template = templateInForce(this.catalogue.of(caller), at);
    const twice = givenTwice(input) ?? checkedTwice(input);
    if (twice) return twice;
    const { subject, channel, values = [], source = 'API', ...rest } = withoutAge(input);
    const givenAt = givenAtOf(input, at);
    const wishes = values.map((value, i) => wishOf(template, value, channel, `values[${i}]`));
    const refused = wishes.find(isRefusal);
    if (refused) return refused;
    if (isRefusal(presentation)) return presentation;
    const other = presentation && notShown(presentation, wishes as Wish[], input.collection?.bannerVersion);
    if (other) return other;
    const { version, locale, contentHash } = templateView(
      template,
      input.collection?.locale === undefined ? [] : [input.collection.locale],
    );
    const command: PreferenceCommand = {
      ...rest,
      recordId: newId('rec', epochMs(at), idBytes),
      wishes: wishes as Wish[],
      source,
      ...(presentation && { presentation }),
      givenAt,
      template: { version, locale, contentHash },
      provenance: provenanceOf(caller, subject),
      verifiedBy: verifiedByChannel(template),
    };
    return checkPreferences(command, at) ?? command;
  }
}

/** Why a token does not prove what was shown: a field that stands for a purpose needs that purpose to have been shown. */
function notShown(
  presentation: Presentation,
  wishes: readonly Wish[],
  bannerVersion: number | undefined,
): Refusal | null {
  for (const [i, { resolved }] of wishes.entries()) {
    const { purposeKey } = resolved.definition;
    const shown = purposeKey === null ? null : shownPurpose(presentation, purposeKey, {}, `values[${i}].field`);
    if (isRefusal(shown)) return shown;
  }
  return sameBanner(presentation, { bannerVersion });
}
