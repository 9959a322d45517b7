import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory } from '../../access/index.js';
import {
  CLOCK,
  epochMs,
  instantOf,
  isRefusal,
  madeAtMs,
  newId,
  Refused,
  type Clock,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import type { Done } from '../../platform/idempotency/once.js';
import { idBytes } from '../../platform/id-bytes.js';
import { Vault } from '../../platform/vault/vault.js';
import { ConfirmationIndex } from '../confirmation-index.js';
import { confirmPreferences } from '../decide.js';
import type { ConfirmationText, PreferenceConfirmedData } from '../events.js';
import { isAnsweredAgain } from '../link-standing.js';
import { hashOfToken } from '../links.js';
import { onwardOf } from '../onward.js';
import { preferenceRefusals } from '../refusals.js';
import type { ConfirmationDto } from './confirmation.dto.js';
import { BY_LINK, provenanceOfLink } from './link-caller.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** The owner of the address used the link. */
export class ConfirmPreferences extends Command<ConfirmedPreferences> {
  constructor(
    readonly caller: Caller,
    readonly token: string,
    readonly via: 'PAGE' | 'API',
  ) {
    super();
  }
}

export interface ConfirmedPreferences extends Done<ConfirmationDto> {
  /** For the page, where the browser is not sent on. */
  text: ConfirmationText | null;
}

@CommandHandler(ConfirmPreferences)
export class ConfirmPreferencesHandler implements ICommandHandler<ConfirmPreferences> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly index: ConfirmationIndex,
    private readonly vault: Vault,
    private readonly directory: KeyDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, token, via }: ConfirmPreferences): Promise<ConfirmedPreferences> {
    const tokenHash = hashOfToken(token);
    const known = tokenHash === null ? null : await this.index.find(tokenHash);
    if (!known) throw new Refused(preferenceRefusals.tokenInvalid());
    const { scope, subjectId, requestId } = known;
    const at = this.clock();
    const command = {
      recordId: newId('rec', epochMs(at), idBytes),
      requestId,
      tokenHash: tokenHash!,
      via,
      provenance: provenanceOfLink(caller, scope.site, this.directory),
    };
    // Under a key of its own a request is confirmed once, whoever clicks how often and wherever its subject went.
    const key = { digest: createHash('sha256').update(`confirmed/${requestId}`).digest('hex'), fingerprint: requestId };
    const written = await this.writer.write(
      { scope, reference: { kind: 'subject', value: subjectId } },
      {
        key,
        claim: 'NONE',
        usedSince: instantOf(madeAtMs(requestId)),
        decide: (state) => confirmPreferences(command, state, at),
      },
      { requestId: caller.requestId, actor: BY_LINK, at },
    );
    if (isRefusal(written))
      throw new Refused(
        written.code === 'subject_erased' || written.code === 'subject_not_found'
          ? preferenceRefusals.tokenInvalid()
          : written,
      );
    const event = written.answer.events.find(({ type }) => type === 'PreferenceConfirmed');
    if (!event) throw new Refused(preferenceRefusals.tokenInvalid());
    const { confirmedAt, fields } = event.data as PreferenceConfirmedData;
    if (!isAnsweredAgain(confirmedAt, at)) throw new Refused(preferenceRefusals.tokenExpired());
    const { goesTo, text } = await this.onward(scope, written.answer.subjectId, requestId);
    const values = fields.map(({ field, channel }) => ({ field, channel, state: 'GRANTED' }));
    return {
      answer: { status: 'CONFIRMED', confirmedAt, values, redirectUrl: goesTo },
      position: event.position,
      text,
    };
  }

  private async onward(
    scope: Scope,
    subjectId: string,
    requestId: string,
  ): Promise<{ goesTo: string | null; text: ConfirmationText | null }> {
    const request = (await this.writer.find(scope, { kind: 'subject', value: subjectId }))?.state.requests[requestId];
    if (!request) return { goesTo: null, text: null };
    return { goesTo: await onwardOf(request, scope, this.vault, this.directory), text: request.text };
  }
}
