import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory, brandOfSite } from '../../access/index.js';
import { CATALOGUE, templateInForce, templateView, type Catalogue } from '../../catalogue/index.js';
import {
  CLOCK,
  epochMs,
  instantOf,
  isRefusal,
  madeAtMs,
  newId,
  plusMs,
  Refused,
  type Clock,
  type Instant,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import type { Done } from '../../commands/once.js';
import { idBytes } from '../../engines/id-bytes.js';
import { Vault } from '../../vault/vault.js';
import { ownKey } from '../../commands/own-key.js';
import { ConfirmationIndex } from '../confirmation-index.js';
import type { ShownBrand } from '../../pages/brand.js';
import { confirmPreferences } from '../decide.js';
import type { ConfirmationText, PreferenceConfirmedData } from '../events.js';
import { isAnsweredAgain } from '../links/link-standing.js';
import { standingTopics } from '../links/link-topics.js';
import { hashOfToken, PreferenceLinks } from '../links/links.js';
import { onwardOf } from '../onward.js';
import type { StandingTopics, UndoOffer } from '../pages/model.js';
import { preferenceRefusals } from '../refusals.js';
import { shownState } from '../topics.js';
import { undoOffer } from '../links/undo-offer.js';
import { UNDOABLE_MS, undoableNow } from '../links/undo-standing.js';
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
  /** For the page that says so; null where nothing is left to tell of. */
  page: ConfirmedPage | null;
}

export interface ConfirmedPage {
  text: ConfirmationText;
  brand: ShownBrand | null;
  /** Whether the confirmation was taken back since. */
  isUndone: boolean;
  /** What is sent now, where something else than the confirmation was chosen since; null: it stands. */
  changed: StandingTopics | null;
  undo: UndoOffer | null;
  /** Whether the site wants people to see the page, and not to be sent on at once. */
  isWanted: boolean;
}

@CommandHandler(ConfirmPreferences)
export class ConfirmPreferencesHandler implements ICommandHandler<ConfirmPreferences> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly index: ConfirmationIndex,
    private readonly links: PreferenceLinks,
    private readonly vault: Vault,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
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
    // Under a key of its own a request is confirmed once, however often its link is opened and wherever its subject went.
    const key = ownKey(`confirmed/${requestId}`, requestId);
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
    const { recordId, confirmedAt, fields } = event.data as PreferenceConfirmedData;
    if (!isAnsweredAgain(confirmedAt, at)) throw new Refused(preferenceRefusals.tokenExpired());
    const { goesTo, page } = await this.onward(scope, written.answer.subjectId, requestId, at);
    const values = fields.map(({ field, channel }) => ({ field, channel, state: 'GRANTED' }));
    return {
      answer: {
        status: 'CONFIRMED',
        confirmedAt,
        values,
        redirectUrl: goesTo,
        undo: {
          token: this.links.undo({ scope, subjectId, recordId, locale: page?.text.language ?? 'en' }),
          expiresAt: plusMs(confirmedAt, UNDOABLE_MS),
        },
      },
      position: event.position,
      page,
    };
  }

  private async onward(
    scope: Scope,
    subjectId: string,
    requestId: string,
    at: Instant,
  ): Promise<{ goesTo: string | null; page: ConfirmedPage | null }> {
    const found = await this.writer.find(scope, { kind: 'subject', value: subjectId });
    const request = found?.state.requests[requestId];
    if (!request) return { goesTo: null, page: null };
    const { text, recordId, undoneAt, fields } = request;
    const view = templateView(templateInForce(this.catalogue.of(scope), at), [text.language]);
    const stands = fields.every(({ field }) => shownState(found.state.topics[field], at) === 'GRANTED');
    const page: ConfirmedPage = {
      text,
      brand: brandOfSite(this.directory, scope.site, text.language),
      isUndone: undoneAt !== undefined,
      changed: stands ? null : standingTopics(fields, view, found.state, at),
      undo: undoOffer(this.links, { scope, subjectId, locale: text.language }, undoableNow(recordId, found.state, at)),
      isWanted: this.directory.site(scope.site)?.settings.brand?.afterConfirming === 'PAGE',
    };
    return { goesTo: await onwardOf(request, scope, this.vault, this.directory), page };
  }
}
