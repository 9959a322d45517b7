import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Stream } from '../../streams/stream.js';
import {
  CLOCK,
  epochMs,
  happened,
  instantOf,
  isRefusal,
  madeAtMs,
  subjectStream,
  uuidV5,
  type Clock,
  type Environment,
  type Instant,
  type Scope,
} from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import type { Delivery, DeliveryName, Outcome } from '../../deliveries/delivery.js';
import { enqueue } from '../../deliveries/queue.js';
import type { Deliver } from '../../deliveries/runner.js';
import { composeMail } from '../../deliveries/mail/compose.js';
import { listUnsubscribe, MAIL_HAS_SERVER, MAIL_SENDER, messageIdOf, type Sender } from '../../engines/mail/mail.js';
import { mailDelivery, type MailEvidence, type MailKeeper } from '../../deliveries/mail/mail-delivery.js';
import { Vault } from '../../vault/vault.js';
import { ownKey } from '../../commands/own-key.js';
import type { SubjectCreatedData } from '../../subjects/index.js';
import type { ShownBrand } from '../../pages/brand.js';
import type { RequestConfirmation } from '../decide.js';
import type { PreferenceConfirmationMailed } from '../events.js';
import { PreferenceLinks } from '../links/links.js';
import { PREFERENCE_STREAMS, type FoldedByPreferences, type PreferenceState } from '../state.js';
import { confirmationMail } from '../texts/confirmation.js';
import { PREFERENCE_WRITER, type PreferenceWriter } from './preference-writer.js';

/** The event follows its mail within milliseconds; only who died in between leaves one without. */
const LOOKS_MS = [5, 10, 20, 40, 80, 160, 320, 640, 1_280];
/** A mail whose request did not come to stand by then belongs to a process that died. */
const ABANDONED_AFTER_MS = 600_000;
/** Outcomes of mails that were never handed to a mail server: they are evidence of nothing. */
const UNTRIED: readonly string[] = ['not_wanted', 'subject_erased', 'dropped'];

/** Whom a mail goes to, and what was known of the subject when that was looked up. */
export interface Addressee {
  subjectId: string;
  state: PreferenceState;
  identifierId: string;
  address: string;
}

/** Mails that ask for confirmation: enqueued before their request stands, sent only while it is open, their outcome noted. */
@Injectable()
export class ConfirmationMails implements MailKeeper {
  constructor(
    @Inject(PREFERENCE_WRITER) private readonly writer: PreferenceWriter,
    @Inject(PREFERENCE_STREAMS) private readonly streams: Stream<PreferenceState, FoldedByPreferences>,
    private readonly links: PreferenceLinks,
    private readonly vault: Vault,
    private readonly database: Database,
    @Inject(MAIL_SENDER) private readonly sender: Sender,
    @Inject(MAIL_HAS_SERVER) private readonly hasServer: boolean,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether a mail of this environment would go anywhere. */
  canSend(env: Environment): boolean {
    return this.hasServer || env === 'test';
  }

  messageId(requestId: string): string {
    return messageIdOf(requestId, this.sender.address.slice(this.sender.address.lastIndexOf('@') + 1));
  }

  /** The languages that the subject reads; empty where they are not known. */
  async languageOf(scope: Scope, subjectId: string): Promise<string[]> {
    const [first] = await this.streams.at(subjectStream(scope, subjectId), [0], await this.vault.cipherOf(subjectId));
    const locale = first?.type === 'SubjectCreated' ? (first.data as SubjectCreatedData).locale : undefined;
    return typeof locale === 'string' ? [locale] : [];
  }

  /** False where the subject was erased meanwhile: nothing was enqueued. */
  async enqueue(
    scope: Scope,
    { subjectId, address }: Addressee,
    { requestId, text, fields, mail }: RequestConfirmation,
    brand: ShownBrand,
    confirmUrl: string,
    giveUpAt: Instant,
  ): Promise<boolean> {
    const cipher = await this.vault.cipherOf(subjectId);
    if (cipher.destroyed) return false;
    const unsubscribe = this.links.unsubscribe({
      scope: { site: scope.site, env: scope.env },
      subjectId,
      channel: fields[0]!.channel,
      topics: fields.map(({ topic }) => topic),
      locale: text.language,
    });
    const order = {
      key: requestId,
      scope,
      subjectId,
      giveUpAt,
      mail: {
        messageId: mail!.messageId,
        subject: mail!.subject,
        to: address,
        from: { name: this.sender.name || brand.name, address: this.sender.address },
        ...composeMail(confirmationMail(text, confirmUrl, brand)),
        headers: unsubscribe === null ? {} : listUnsubscribe(unsubscribe.url),
        language: text.language,
        dir: text.dir,
      },
    };
    await enqueue(this.database, [mailDelivery(order, cipher)]);
    return true;
  }

  /** Sends a mail only while its request can be answered. */
  whileWanted(send: Deliver<MailEvidence>): Deliver<MailEvidence> {
    return async (delivery, signal) => {
      switch (await this.standing(delivery)) {
        case 'open':
          return send(delivery, signal);
        case 'over':
          return { outcome: 'failed', reason: 'not_wanted', evidence: null };
        case 'unknown':
          return { outcome: 'retry', reason: 'not_requested_yet', evidence: null };
      }
    };
  }

  private async standing({ scope, subjectId, key: requestId }: Delivery): Promise<'open' | 'over' | 'unknown'> {
    for (const waitMs of LOOKS_MS) {
      const found = await this.writer.find(scope, { kind: 'subject', value: subjectId! });
      if (!found) return 'over';
      const { requests } = found.state;
      const at = this.clock();
      const request = Object.hasOwn(requests, requestId) ? requests[requestId]! : null;
      if (request) return request.confirmedAt === null && request.expiresAt > at ? 'open' : 'over';
      // Asked anew since: what is not there was taken back, or never came to stand.
      if (Object.keys(requests).some((id) => id > requestId) || epochMs(at) > madeAtMs(requestId) + ABANDONED_AFTER_MS)
        return 'over';
      await pause(waitMs);
    }
    return 'unknown';
  }

  /** Keeps as evidence what became of a mail. A second call does nothing. */
  async noteOutcome({ scope, subjectId, key: requestId }: DeliveryName, outcome: Outcome<MailEvidence>): Promise<void> {
    if (outcome.outcome === 'failed' && UNTRIED.includes(outcome.reason)) return;
    const { evidence, attempts } = outcome;
    const at = this.clock();
    const mailed: PreferenceConfirmationMailed = {
      type: 'PreferenceConfirmationMailed',
      data: {
        requestId,
        messageId: evidence?.messageId ?? this.messageId(requestId),
        outcome: outcome.outcome === 'delivered' ? 'ACCEPTED' : 'FAILED',
        code: outcome.outcome === 'delivered' ? null : (evidence?.code ?? outcome.reason),
        response: evidence?.response ?? null,
        attempts,
        at,
      },
    };
    const key = ownKey(`mailed/${requestId}`, requestId);
    const noted = await this.writer.write(
      { scope, reference: { kind: 'subject', value: subjectId! } },
      {
        key,
        claim: 'NONE',
        usedSince: instantOf(madeAtMs(requestId)),
        decide: () => happened(mailed),
        idOf: () => uuidV5(`mailed/${requestId}`),
      },
      { actor: 'system:mail', at },
    );
    if (isRefusal(noted) && noted.code === 'state_conflict')
      throw new Error('the outcome of a mail could not be noted: its subject kept changing');
  }
}
