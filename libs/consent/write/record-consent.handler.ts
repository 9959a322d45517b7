import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Position, isRefusal, parseReference, Refused, type Reference, type Refusal } from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { IdempotencyReservations, keyReused, stillRunning } from '../../platform/idempotency/reservations.js';
import type { ConsentRecordView } from '../view.js';
import type { RecordConsentDto } from './dto.js';
import { goneWithSubject } from '../../platform/idempotency/once.js';
import { ConsentRecorder, type PreparedRecord, type RecordKey, type RecordOutcome } from './recorder.js';

/** Record one decision. */
export class RecordConsentCommand extends Command<RecordedConsent> {
  constructor(
    readonly caller: Caller,
    readonly input: RecordConsentDto,
    readonly idempotencyKey: string | null,
    /** `Sec-GPC: 1` came with the request. */
    readonly gpcHeader: boolean,
  ) {
    super();
  }
}

export interface RecordedConsent {
  view: ConsentRecordView;
  position: Position;
  replayed: boolean;
}

/** One fingerprint for a record, whether it was sent alone or in a batch. */
export const recordFingerprint = (reservations: IdempotencyReservations, input: RecordConsentDto): string =>
  reservations.fingerprintOf('POST', '/v1/consent', input);

@CommandHandler(RecordConsentCommand)
export class RecordConsentHandler implements ICommandHandler<RecordConsentCommand> {
  constructor(
    private readonly recorder: ConsentRecorder,
    private readonly reservations: IdempotencyReservations,
  ) {}

  async execute({ caller, input, idempotencyKey, gpcHeader }: RecordConsentCommand): Promise<RecordedConsent> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const prepared = this.recorder.prepare(caller, input, gpcHeader);
    const key =
      idempotencyKey === null
        ? null
        : {
            digest: this.reservations.digestOf(caller, idempotencyKey),
            fingerprint: recordFingerprint(this.reservations, input),
          };
    const outcome = key
      ? await this.once(caller, reference, prepared, key)
      : await this.record(caller, reference, prepared, null);
    if (isRefusal(outcome)) throw new Refused(outcome);
    if (outcome.kind === 'running') throw new Refused(stillRunning(), { 'Retry-After': '1' });
    return { view: outcome.view, position: outcome.position, replayed: outcome.kind === 'replayed' };
  }

  private async record(
    caller: Caller,
    reference: Reference,
    prepared: PreparedRecord | Refusal,
    key: RecordKey | null,
  ): Promise<RecordOutcome> {
    if (isRefusal(prepared)) return prepared;
    const outcomes = await this.recorder.record(caller, reference, [{ ...prepared, key }], {
      caller,
      requestId: caller.requestId,
    });
    return isRefusal(outcomes) ? outcomes : outcomes[0]!;
  }

  /** Under an idempotency key: at most one effect, whatever is repeated and whoever dies in between. */
  private async once(
    caller: Caller,
    reference: Reference,
    prepared: PreparedRecord | Refusal,
    key: Omit<RecordKey, 'mayRecord'>,
  ): Promise<RecordOutcome> {
    const reservation = { key: key.digest, fingerprint: key.fingerprint };
    if (isRefusal(prepared)) return this.unlessReplayed(prepared, caller, reference, key);
    const reserved = await this.reservations.reserve(reservation);
    if (reserved.kind === 'other') return keyReused();
    if (reserved.kind === 'gone') return goneWithSubject();
    if (reserved.kind === 'seen') return this.recorder.replay(caller, reference, key);
    const ours = [{ key: key.digest, owner: reserved.owner }];
    try {
      const outcome = await this.record(caller, reference, prepared, { ...key, mayRecord: true });
      if (isRefusal(outcome)) await this.reservations.forget(ours);
      else this.reservations.done([key.digest]);
      return outcome;
    } catch (error) {
      await this.reservations.release(ours);
      throw error;
    }
  }

  /** What would be refused today may have been recorded a week ago under this key: then that answer still stands. */
  private async unlessReplayed(
    refused: Refusal,
    caller: Caller,
    reference: Reference,
    key: Omit<RecordKey, 'mayRecord'>,
  ): Promise<RecordOutcome> {
    const seen = await this.reservations.seen({ key: key.digest, fingerprint: key.fingerprint });
    if (seen === 'other') return keyReused();
    if (seen === 'never') return refused;
    const replayed = await this.recorder.replay(caller, reference, key);
    return !isRefusal(replayed) && replayed.kind === 'replayed' ? replayed : refused;
  }
}
