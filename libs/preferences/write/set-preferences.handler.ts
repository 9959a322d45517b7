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
  epochMs,
  isRefusal,
  newId,
  parseInstant,
  parseReference,
  Refused,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import { provenanceOf, type Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations } from '../../platform/idempotency/reservations.js';
import { once, type Done } from '../../platform/idempotency/once.js';
import { idBytes } from '../../platform/id-bytes.js';
import { checkPreferences, setPreferences, type SetPreferences as PreferenceCommand, type Wish } from '../decide.js';
import type { PreferenceSetData } from '../events.js';
import { verifiedByChannel } from '../known-channels.js';
import { preferenceRecordView, type PreferenceRecordView } from '../view.js';
import type { PreferenceValueDto, SetPreferencesDto } from './dto.js';
import { PreferenceWriter, type Written } from './writer.js';

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

export type RecordedPreferences = Done<PreferenceRecordView> & { replayed: boolean };

@CommandHandler(SetPreferences)
export class SetPreferencesHandler implements ICommandHandler<SetPreferences> {
  constructor(
    private readonly writer: PreferenceWriter,
    private readonly reservations: IdempotencyReservations,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
  ) {}

  async execute({ caller, input, idempotencyKey }: SetPreferences): Promise<RecordedPreferences> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const fingerprint = this.reservations.fingerprintOf('POST', '/v1/preferences', input);
    return once(this.reservations, {
      scope: caller,
      idempotencyKey,
      fingerprint,
      replay: async (digest) => doneOf(await this.writer.written(caller, reference, digest)),
      carryOut: async (digest) => {
        const at = this.writer.clock();
        const command = this.prepare(caller, input, at);
        if (isRefusal(command)) return command;
        const key = digest === null ? null : { digest, fingerprint };
        const written = await this.writer.write(caller, reference, (state) => setPreferences(command, state, at), {
          requestId: caller.requestId,
          actor: caller.keyId ?? caller.kind,
          caller,
          at,
          key,
        });
        return isRefusal(written) ? written : doneOf(written)!;
      },
    });
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

function doneOf(written: Written | null): Done<PreferenceRecordView> | null {
  const event = written?.events.find(({ type }) => type === 'PreferenceSet');
  return written && event
    ? {
        answer: preferenceRecordView(written.subjectId, event.revision, event.data as PreferenceSetData),
        position: event.position,
      }
    : null;
}
