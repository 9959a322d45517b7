import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory, shownBrand } from '../../access/index.js';
import { DATA_REQUESTS, type DataRequests } from '../../data-requests/services.js';
import { needsVerification, readCorrections } from '../../data-requests/index.js';
import {
  CLOCK,
  isAnonymous,
  isRefusal,
  parseReference,
  Refused,
  type Clock,
  type Position,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { refused } from '../../http/errors/refused.js';
import { readReference } from '../../http/registered-kind.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { readPlace } from '../../policy/services.js';
import { languageOf } from '../../pages/languages.js';
import { MailedCodes } from '../codes/mailed-codes.js';
import { portalRefusals } from '../refusals.js';
import { askedView, wantedOf, type AskedFor } from './asked.js';
import type { AskDto, AskedDto } from './dto.js';
import { OptOuts } from './opt-outs.js';

/** Make a request on a page. */
export class AskOnPortal extends Command<Asked> {
  constructor(
    readonly caller: Caller,
    readonly input: AskDto,
    readonly idempotencyKey: string | null,
  ) {
    super();
  }
}

export interface Asked {
  answer: AskedDto;
  /** Null where nothing was written. */
  position: Position | null;
  replayed: boolean;
}

@CommandHandler(AskOnPortal)
export class AskOnPortalHandler implements ICommandHandler<AskOnPortal> {
  constructor(
    @Inject(DATA_REQUESTS) private readonly requests: DataRequests,
    private readonly codes: MailedCodes,
    private readonly optOuts: OptOuts,
    private readonly directory: KeyDirectory,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, input, idempotencyKey }: AskOnPortal): Promise<Asked> {
    const subject = parseReference(input.subject);
    if (isRefusal(subject)) throw new Refused(subject);
    const { requester } = input;
    if (requester && requester.type !== 'SELF' && requester.evidence === undefined)
      throw new Refused(portalRefusals.evidenceMissing());
    const { corrections, jurisdiction, ...rest } = input;
    const place = jurisdiction && readPlace(jurisdiction, 'jurisdiction.');
    if (isRefusal(place)) throw new Refused(place);
    if (corrections && input.type !== 'RECTIFICATION') throw new Refused(portalRefusals.correctionsNotTaken());
    const read = corrections && readCorrections(corrections, (text) => readReference(text, caller));
    if (isRefusal(read)) throw new Refused(read);
    const asked: AskedFor = {
      ...rest,
      subject,
      receivedAt: this.clock(),
      ...(place && { jurisdiction: place }),
      ...(read && { corrections: read }),
    };
    // The guard has seen that a token is that of the subject.
    if (caller.identity !== null && !isAnonymous(subject)) return this.openAtOnce(caller, input, asked, idempotencyKey);
    if (!needsVerification(input.type)) return this.optOut(caller, asked);
    if (subject.kind !== 'email') throw refused('identity_token_required');
    return this.mailCode(caller, asked, input.locale);
  }

  private async openAtOnce(
    caller: Caller,
    input: AskDto,
    asked: AskedFor,
    idempotencyKey: string | null,
  ): Promise<Asked> {
    const key = this.reservations.keyOf(
      keyScopeOf(caller, [asked.subject]),
      idempotencyKey,
      'POST',
      '/v1/data-requests/portal',
      input,
    );
    const verifiedBy = asked.subject.kind === 'subject' ? 'PORTAL_TOKEN' : 'IDENTITY_TOKEN';
    const opened = await this.requests.open(caller, wantedOf(asked, { verifiedBy }), {
      actor: `subject:${verifiedBy.toLowerCase()}`,
      requestId: caller.requestId,
      key,
    });
    if (isRefusal(opened)) throw new Refused(opened);
    const { position, replayed } = opened;
    return { answer: askedView(asked.type, opened), position, replayed };
  }

  /** No subject is looked up before the answer: it is the same for a known and for an unknown person. */
  private async optOut(caller: Caller, asked: AskedFor): Promise<Asked> {
    const { subject } = asked;
    if (!isAnonymous(subject) && subject.kind !== 'email' && subject.kind !== 'phone')
      throw refused('identity_token_required');
    await this.optOuts.take(caller, asked);
    return { answer: askedView(asked.type, null), position: null, replayed: false };
  }

  private async mailCode(caller: Caller, asked: AskedFor, locale: string | undefined): Promise<Asked> {
    const settings = this.directory.site(caller.site)!.settings;
    const wishes = [...(locale === undefined ? [] : [locale]), settings.defaultLocale];
    const language = languageOf(wishes);
    const { handle, expiresAt } = await this.codes.send({
      scope: { site: caller.site, env: caller.env },
      purpose: 'DATA_REQUEST',
      address: asked.subject.value,
      content: asked,
      language,
      brand: shownBrand(settings, [language, ...wishes]),
    });
    const verification = { method: 'EMAIL_CODE', handle, expiresAt } as const;
    return {
      answer: { ...askedView(asked.type, null), status: 'CODE_NEEDED', verification },
      position: null,
      replayed: false,
    };
  }
}
