import { createHash } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory } from '../../access/index.js';
import { epochMs, isRefusal, newId, Refused, type Scope } from '../../kernel/index.js';
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
import { PreferenceWriter } from './writer.js';

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
    private readonly writer: PreferenceWriter,
    private readonly index: ConfirmationIndex,
    private readonly vault: Vault,
    private readonly directory: KeyDirectory,
  ) {}

  async execute({ caller, token, via }: ConfirmPreferences): Promise<ConfirmedPreferences> {
    const tokenHash = hashOfToken(token);
    const known = tokenHash === null ? null : await this.index.find(tokenHash);
    if (!known) throw new Refused(preferenceRefusals.tokenInvalid());
    const { scope, subjectId, requestId } = known;
    const at = this.writer.clock();
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
      scope,
      { kind: 'subject', value: subjectId },
      (state) => confirmPreferences(command, state, at),
      { requestId: caller.requestId, actor: BY_LINK, at, key },
    );
    if (isRefusal(written))
      throw new Refused(
        written.code === 'subject_erased' || written.code === 'subject_not_found'
          ? preferenceRefusals.tokenInvalid()
          : written,
      );
    const event = written.events.find(({ type }) => type === 'PreferenceConfirmed');
    if (!event) throw new Refused(preferenceRefusals.tokenInvalid());
    const { confirmedAt, fields } = event.data as PreferenceConfirmedData;
    if (!isAnsweredAgain(confirmedAt, at)) throw new Refused(preferenceRefusals.tokenExpired());
    const { goesTo, text } = await this.onward(scope, written.subjectId, requestId);
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
