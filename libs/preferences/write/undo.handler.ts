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
  Refused,
  type Clock,
  type Position,
  type Refusal,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { idBytes } from '../../engines/id-bytes.js';
import { ownKey } from '../../commands/own-key.js';
import type { ShownBrand } from '../../pages/brand.js';
import { undo } from '../links/decide-undo.js';
import type { PreferenceSetData, TopicChange } from '../events.js';
import { PreferenceLinks } from '../links/links.js';
import { preferenceRefusals } from '../refusals.js';
import { undoStanding } from '../links/undo-standing.js';
import type { UndoneDto } from './confirmation.dto.js';
import { BY_LINK, provenanceOfLink } from './link-caller.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** Take back what a person confirmed or unsubscribed from by a link. */
export class Undo extends Command<UndoOutcome> {
  constructor(
    readonly caller: Caller,
    readonly token: string,
    readonly via: 'PAGE' | 'API',
  ) {
    super();
  }
}

/** What came of it, and what its page needs. CHANGED_SINCE, OVER: nothing was undone, for the reason of the refusal. */
export type UndoOutcome = { locale: string; brand: ShownBrand | null } & (
  | { outcome: 'UNDONE'; answer: UndoneDto; position: Position | null }
  | { outcome: 'CHANGED_SINCE' | 'OVER'; refusal: Refusal }
);

@CommandHandler(Undo)
export class UndoHandler implements ICommandHandler<Undo> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly links: PreferenceLinks,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, token, via }: Undo): Promise<UndoOutcome> {
    const claim = this.links.undoClaimOf(token);
    if (!claim) throw new Refused(preferenceRefusals.tokenInvalid());
    const { scope, subjectId, recordId: undoes, locale } = claim;
    const at = this.clock();
    const page = { locale, brand: brandOfSite(this.directory, scope.site, locale) };
    const {
      version,
      locale: shown,
      contentHash,
    } = templateView(templateInForce(this.catalogue.of(scope), at), [locale]);
    const command = {
      recordId: newId('rec', epochMs(at), idBytes),
      undoes,
      template: { version, locale: shown, contentHash },
      via,
      provenance: provenanceOfLink(caller, scope.site, this.directory),
    };
    // Under a key of its own a record is undone once, however often its link is opened and wherever its subject went.
    const key = ownKey(`undone/${undoes}`, undoes);
    const subject = { kind: 'subject', value: subjectId } as const;
    const written = await this.writer.write(
      { scope, reference: subject },
      { key, claim: 'NONE', usedSince: instantOf(madeAtMs(undoes)), decide: (state) => undo(command, state, at) },
      { requestId: caller.requestId, actor: BY_LINK, at },
    );
    if (!isRefusal(written)) {
      const event = written.answer.events.find(({ type }) => type === 'PreferenceSet')!;
      return {
        ...page,
        outcome: 'UNDONE',
        answer: answerOf(event.data as PreferenceSetData),
        position: event.position,
      };
    }
    if (written.code === 'subject_erased' || written.code === 'subject_not_found')
      throw new Refused(preferenceRefusals.tokenInvalid());
    const found = await this.writer.find(scope, subject);
    const standing = found && undoStanding(undoes, found.state, at);
    // Any other reason, such as a conflict with another writer, is answered as it is.
    if (standing !== 'CHANGED_SINCE' && standing !== 'OVER') throw new Refused(written);
    return { ...page, outcome: standing, refusal: written };
  }
}

/** From the stored event alone, so that a repeat is the same to the byte. */
function answerOf({ changes, recordedAt }: PreferenceSetData): UndoneDto {
  const topics = changes as TopicChange[];
  return {
    status: 'UNDONE',
    undid: topics[0]!.wanted ? 'UNSUBSCRIPTION' : 'CONFIRMATION',
    undoneAt: recordedAt,
    values: topics.map(({ field, channel, state }) => ({ field, channel, state })),
  };
}
