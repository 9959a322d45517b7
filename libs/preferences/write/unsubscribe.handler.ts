import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory, brandOfSite } from '../../access/index.js';
import { CATALOGUE, templateInForce, templateView, type Catalogue } from '../../catalogue/index.js';
import { CLOCK, epochMs, isRefusal, newId, Refused, type Clock, type Position } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { idBytes } from '../../engines/id-bytes.js';
import type { ShownBrand } from '../../pages/brand.js';
import { unsubscribe } from '../links/decide-unsubscribe.js';
import { knownChannels } from '../known-channels.js';
import { topicsOfLink } from '../links/link-standing.js';
import { PreferenceLinks } from '../links/links.js';
import type { UndoOffer } from '../pages/model.js';
import { preferenceRefusals } from '../refusals.js';
import { undoOffer } from '../links/undo-offer.js';
import { undoableUnsubscribing } from '../links/undo-standing.js';
import type { UnsubscribedDto } from './confirmation.dto.js';
import { BY_LINK, provenanceOfLink } from './link-caller.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** The reader of a mail wants no more of it. */
export class Unsubscribe extends Command<Unsubscribed> {
  constructor(
    readonly caller: Caller,
    readonly token: string,
    readonly via: 'PAGE' | 'API',
  ) {
    super();
  }
}

export interface Unsubscribed {
  answer: UnsubscribedDto;
  /** Null where it was said before. */
  position: Position | null;
  locale: string;
  brand: ShownBrand | null;
  undo: UndoOffer | null;
}

@CommandHandler(Unsubscribe)
export class UnsubscribeHandler implements ICommandHandler<Unsubscribe> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly links: PreferenceLinks,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, token, via }: Unsubscribe): Promise<Unsubscribed> {
    const claim = this.links.claimOf(token);
    if (!claim) throw new Refused(preferenceRefusals.tokenInvalid());
    const { scope, channel, topics, locale } = claim;
    const subject = { kind: 'subject', value: claim.subjectId } as const;
    const at = this.clock();
    const published = templateInForce(this.catalogue.of(scope), at);
    const { version, locale: shown, contentHash } = templateView(published, [locale]);
    const offered = knownChannels(published).find(({ key }) => key === channel)?.topics ?? [];
    const command = {
      recordId: newId('rec', epochMs(at), idBytes),
      channel,
      topics,
      offered,
      template: { version, locale: shown, contentHash },
      via,
      provenance: provenanceOfLink(caller, scope.site, this.directory),
    };
    const written = await this.writer.write(
      { scope, reference: subject },
      { key: null, decide: (state) => unsubscribe(command, state, at) },
      { requestId: caller.requestId, actor: BY_LINK, at },
    );
    if (isRefusal(written))
      throw new Refused(
        written.code === 'subject_erased' || written.code === 'subject_not_found'
          ? preferenceRefusals.tokenInvalid()
          : written,
      );
    const found = await this.writer.find(scope, subject);
    const fields = found ? topicsOfLink(channel, topics, offered, found.state) : [];
    const undo = undoOffer(
      this.links,
      { scope, subjectId: claim.subjectId, locale },
      found && undoableUnsubscribing(fields, found.state, at),
    );
    return {
      answer: { status: 'UNSUBSCRIBED', channel, fields, undo },
      position: written.position,
      locale,
      brand: brandOfSite(this.directory, scope.site, locale),
      undo,
    };
  }
}
