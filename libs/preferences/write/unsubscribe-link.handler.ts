import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory } from '../../access/index.js';
import { CATALOGUE, resolveField, templateInForce, type Catalogue } from '../../catalogue/index.js';
import { CLOCK, isRefusal, parseReference, Refused, type Clock } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { listUnsubscribe } from '../../engines/mail/mail.js';
import { subjectRefusals } from '../../subjects/index.js';
import { PreferenceLinks } from '../links/links.js';
import { preferenceRefusals } from '../refusals.js';
import { ConfirmationMails } from './confirmation-mails.js';
import type { UnsubscribeHeadersDto, UnsubscribeLinkDto, UnsubscribeLinkRequestDto } from './confirmation.dto.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** Make the link that a mail of the caller's own carries. Nothing is written: the link says all there is. */
export class MakeUnsubscribeLink extends Command<UnsubscribeLinkDto> {
  constructor(
    readonly caller: Caller,
    readonly input: UnsubscribeLinkRequestDto,
  ) {
    super();
  }
}

@CommandHandler(MakeUnsubscribeLink)
export class MakeUnsubscribeLinkHandler implements ICommandHandler<MakeUnsubscribeLink> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly links: PreferenceLinks,
    private readonly mails: ConfirmationMails,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    caller,
    input: { subject, channel, topics, locale },
  }: MakeUnsubscribeLink): Promise<UnsubscribeLinkDto> {
    const reference = parseReference(subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const template = templateInForce(this.catalogue.of(caller), this.clock());
    const named = topics?.map((topic, i) => {
      const resolved = resolveField(template, topic, channel, `topics[${i}]`);
      if (isRefusal(resolved)) throw new Refused(resolved);
      if (resolved.kind !== 'topic') throw new Refused(preferenceRefusals.topicsOnly(`topics[${i}]`));
      return resolved.topic;
    });
    if (!named && !template?.definition.channels.some(({ key }) => key === channel))
      throw new Refused(resolveField(template, '', channel) as never);
    const found = await this.writer.find(caller, reference);
    if (!found) throw new Refused(subjectRefusals.notFound('subject'));
    const language =
      locale ??
      (await this.mails.languageOf(caller, found.subjectId))[0] ??
      this.directory.site(caller.site)!.settings.defaultLocale;
    const link = this.links.unsubscribe({
      scope: { site: caller.site, env: caller.env },
      subjectId: found.subjectId,
      channel,
      topics: named ? [...new Set(named)].sort() : null,
      locale: language,
    });
    if (!link) throw new Refused(preferenceRefusals.tooManyLinkTopics());
    return {
      token: link.token,
      unsubscribeUrl: link.url,
      headers: listUnsubscribe(link.url) as unknown as UnsubscribeHeadersDto,
    };
  }
}
