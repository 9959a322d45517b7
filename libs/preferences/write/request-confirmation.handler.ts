import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory, shownBrand } from '../../access/index.js';
import { CATALOGUE, templateInForce, templateView, type Catalogue, type TemplateView } from '../../catalogue/index.js';
import {
  CLOCK,
  epochMs,
  isRefusal,
  newId,
  parseReference,
  plusMs,
  referenceText,
  Refused,
  type Clock,
  type Instant,
  type Reference,
  type Refusal,
} from '../../kernel/index.js';
import { provenanceOf, type Caller } from '../../http/caller.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { goneWithSubject, once, type Done, type Repeatable } from '../../commands/once.js';
import { idBytes } from '../../engines/id-bytes.js';
import { Vault } from '../../vault/vault.js';
import { subjectRefusals } from '../../subjects/index.js';
import { causeOf, type Target, type Written } from '../../subjects/services.js';
import { languageOf } from '../../pages/languages.js';
import { ConfirmationIndex } from '../confirmation-index.js';
import { mailAllowedAt, requestConfirmation, type RequestConfirmation as PreferenceCommand } from '../decide.js';
import type { PreferenceConfirmationRequestedData } from '../events.js';
import { PreferenceLinks } from '../links/links.js';
import { redirectUrl } from '../redirect-url.js';
import { preferenceRefusals } from '../refusals.js';
import { confirmationText, mailSubject, type Asked } from '../texts/confirmation.js';
import { ConfirmationMails, type Addressee } from './confirmation-mails.js';
import type { ConfirmationTokenDto, RequestConfirmationDto } from './confirmation.dto.js';
import { wantedTopics, type WantedTopics } from './wanted-topics.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

const HOUR_MS = 3_600_000;

/** Make topics wait until the owner of the address says so. */
export class RequestConfirmation extends Command<RequestedConfirmation> {
  constructor(
    readonly caller: Caller,
    readonly input: RequestConfirmationDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

export type RequestedConfirmation = Repeatable<ConfirmationTokenDto>;

@CommandHandler(RequestConfirmation)
export class RequestConfirmationHandler implements ICommandHandler<RequestConfirmation> {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    private readonly reservations: IdempotencyReservations,
    private readonly index: ConfirmationIndex,
    private readonly links: PreferenceLinks,
    private readonly mails: ConfirmationMails,
    private readonly vault: Vault,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey }: RequestConfirmation): Promise<RequestedConfirmation> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const fingerprint = this.reservations.fingerprintOf('POST', '/v1/preferences/confirmation-token', input);
    const named = await this.writer.nameOf({ scope: caller, reference }, this.clock());
    let allowedAt: Instant | null = null;
    try {
      return await once(this.reservations, {
        scope: keyScopeOf(caller, [reference]),
        idempotencyKey,
        fingerprint,
        subjects: [named.subjectId],
        replay: async (digest) => this.doneOf(await this.writer.written({ scope: caller, reference }, digest)),
        carryOut: async (digest, resumed, hold) => {
          const key = digest === null ? null : { digest, fingerprint };
          if (resumed && !named.isNew && !(await this.vault.find(caller, reference))) return goneWithSubject();
          const part = { named: { ...named, subjectId: hold.subjects[0] ?? named.subjectId }, hold };
          return this.ask({ scope: caller, reference, part }, caller, input, key, (again) => (allowedAt = again));
        },
      });
    } catch (error) {
      if (allowedAt === null || !(error instanceof Refused)) throw error;
      throw new Refused(error.refusal, {
        'Retry-After': String(Math.max(1, Math.ceil((epochMs(allowedAt) - epochMs(this.clock())) / 1000))),
      });
    }
  }

  /** Token and mail stand ready before the event does: after a crash in between nothing was asked, and both come to nothing. */
  private async ask(
    target: Target & { part: NonNullable<Target['part']> },
    caller: Caller,
    input: RequestConfirmationDto,
    key: { digest: string; fingerprint: string } | null,
    notBefore: (at: Instant | null) => void,
  ): Promise<Done<ConfirmationTokenDto> | Refusal> {
    const { reference, part } = target;
    const at = this.clock();
    if (input.to !== undefined && !this.mails.canSend(caller.env)) return preferenceRefusals.noMailServer();
    const newSubjectId = part.named.isNew ? part.named.subjectId : undefined;
    const site = this.directory.site(caller.site)!.settings;
    const template = templateInForce(this.catalogue.of(caller), at);
    const wanted = wantedTopics(template, input.values, input.channel);
    if (isRefusal(wanted)) return wanted;
    const goesTo = redirectUrl(input.redirectUrl, site.domains, caller.env);
    if (goesTo === null) return preferenceRefusals.redirectNotAllowed(caller.env);
    const addressee =
      input.to === undefined ? null : await this.addressee(caller, input.to, reference, newSubjectId, wanted, at);
    if (isRefusal(addressee)) return addressee;
    const subject = await this.vault.findOrCreate(caller, reference, epochMs(at), newSubjectId);
    const locales = [
      ...(input.locale === undefined ? [] : [input.locale]),
      ...(subject && !subject.created ? await this.mails.languageOf(caller, subject.subjectId) : []),
      site.defaultLocale,
    ];
    const view = templateView(template, [languageOf(locales), ...locales]);
    const requestId = newId('rec', epochMs(at), idBytes);
    const link = this.links.confirmation(requestId);
    const validForMs = (site.confirmationHours ?? 48) * HOUR_MS;
    const brand = shownBrand(site, [languageOf(locales)]);
    const texts = textsOf(brand.name, view, wanted, locales);
    const command: PreferenceCommand = {
      requestId,
      tokenHash: link.tokenHash,
      fields: wanted.fields,
      validForMs,
      redirectUrl: goesTo,
      template: { version: view.version, locale: view.locale, contentHash: view.contentHash },
      text: confirmationText({ ...texts, expiresAt: plusMs(at, validForMs), sends: addressee ? 'mail' : 'caller' }),
      ...(addressee && {
        mail: {
          identifierId: addressee.identifierId,
          messageId: this.mails.messageId(requestId),
          subject: mailSubject(texts),
        },
      }),
      provenance: provenanceOf(caller, input.subject),
    };
    const refused = addressee && requestConfirmation(command, addressee.state, at);
    if (isRefusal(refused)) {
      notBefore(mailAllowedAt(addressee!.state, addressee!.identifierId, at));
      return refused;
    }
    if (subject)
      await this.index.put(
        link.tokenHash,
        { scope: caller, subjectId: subject.subjectId, requestId },
        plusMs(at, validForMs),
      );
    const enqueued =
      addressee === null ||
      (await this.mails.enqueue(caller, addressee, command, brand, link.url, plusMs(at, validForMs)));
    if (!enqueued) return subjectRefusals.erased();
    const written = await this.writer.write(
      { ...target, ...(subject && { mustStillBe: subject.subjectId }) },
      { key, claim: 'NONE', decide: (state) => requestConfirmation(command, state, at) },
      causeOf(caller, at),
    );
    return this.doneOf(written)!;
  }

  /** The subject that has the address: this one, or one that was merged into it. */
  private async addressee(
    caller: Caller,
    to: string,
    reference: Reference,
    newSubjectId: string | undefined,
    { verifiedBy }: WantedTopics,
    at: Instant,
  ): Promise<Addressee | Refusal> {
    // A click in a mail does not prove who has a number (BGH, 10 February 2011, I ZR 164/09).
    if (verifiedBy === 'phone') return preferenceRefusals.mailProvesNoNumber();
    const address = parseReference(`email:${to}`);
    if (isRefusal(address)) return preferenceRefusals.notTheirAddress();
    if (referenceText(address) === referenceText(reference))
      await this.vault.findOrCreate(caller, reference, epochMs(at), newSubjectId);
    const [asked, owner, found] = await Promise.all([
      this.writer.find(caller, reference),
      this.writer.find(caller, address),
      this.vault.find(caller, address),
    ]);
    // The vault still knows the reference and no subject answers to it: the subject is being erased.
    if (!asked && (await this.vault.find(caller, reference))) return subjectRefusals.erased();
    if (!asked || !owner || !found || owner.subjectId !== asked.subjectId) return preferenceRefusals.notTheirAddress();
    return { ...asked, identifierId: found.identifierId, address: address.value };
  }

  private doneOf(written: Done<Written> | Refusal | null): Done<ConfirmationTokenDto> | Refusal | null {
    if (written === null || isRefusal(written)) return written;
    const event = written.answer.events.find(({ type }) => type === 'PreferenceConfirmationRequested');
    if (!event) return null;
    const { requestId, expiresAt } = event.data as PreferenceConfirmationRequestedData;
    const { token, url } = this.links.confirmation(requestId);
    return { answer: { token, confirmUrl: url, expiresAt }, position: event.position };
  }
}

function textsOf(siteName: string, view: TemplateView, wanted: WantedTopics, locales: string[]): Asked {
  const shown = new Map(view.sections.flatMap(({ fields }) => fields).map((field) => [field.key, field]));
  return {
    locales,
    siteName,
    channel: view.channels.find(({ key }) => key === wanted.channel)!.label,
    topics: wanted.keys.map((key) => shown.get(key)!),
  };
}
