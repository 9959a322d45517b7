import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  CLOCK,
  epochMs,
  plusMs,
  Refused,
  type Clock,
  type Environment,
  type Instant,
  type Scope,
} from '../../kernel/index.js';
import { enqueue } from '../../deliveries/queue.js';
import { composeMail } from '../../deliveries/mail/compose.js';
import { cipherWithoutSubject, mailDelivery } from '../../deliveries/mail/mail-delivery.js';
import { MAIL_HAS_SERVER, MAIL_SENDER, messageIdOf, type Sender } from '../../engines/mail/mail.js';
import { MasterKey, sealingOf } from '../../vault/master-key.js';
import type { ShownBrand } from '../../pages/brand.js';
import type { Language } from '../../pages/languages.js';
import { portalRefusals } from '../refusals.js';
import { codeMail } from '../texts/code-mail.js';
import { CODE_DIGITS, CODE_MINUTES, codeAllowedAt, digitsOf } from './code.js';
import { CodeRows, type CodePurpose } from './code-rows.js';

const HANDLE = /^pcd_[A-Za-z0-9_-]{22}$/;
const HANDLE_BYTES = 16;
const MINUTE_MS = 60_000;

export interface CodeAsked<Content> {
  scope: Scope;
  purpose: CodePurpose;
  /** A normalised e-mail address. */
  address: string;
  /** What the code is for, given back to who enters it. */
  content: Content;
  language: Language;
  brand: ShownBrand;
}

/** A code on its way. */
export interface CodeSent {
  /** Names the code; good for nothing without it. */
  handle: string;
  expiresAt: Instant;
}

/**
 * Codes that are mailed, by which a person shows that a mailbox is theirs. No subject is looked up for it: what is done, and
 * how long it takes, is the same for an address that the service knows and for one that it does not.
 */
@Injectable()
export class MailedCodes {
  constructor(
    private readonly rows: CodeRows,
    private readonly master: MasterKey,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(MAIL_SENDER) private readonly sender: Sender,
    @Inject(MAIL_HAS_SERVER) private readonly hasServer: boolean,
  ) {}

  /** Rejects with `rate_limited` where too many went to the address, `dependency_unavailable` where no mail goes anywhere. */
  async send<Content>(asked: CodeAsked<Content>): Promise<CodeSent> {
    const { scope, purpose, address, content } = asked;
    if (!this.canSend(scope.env)) throw new Refused(portalRefusals.noMailServer());
    const at = this.clock();
    const handle = `pcd_${randomBytes(HANDLE_BYTES).toString('base64url')}`;
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    const expiresAt = plusMs(at, CODE_MINUTES * MINUTE_MS);
    const row = {
      id: handle,
      scope,
      purpose,
      address: addressDigest(this.master, scope, address),
      digest: this.digestOf(handle, code),
      sealed: this.master.sealSecret(sealedFor(handle), Buffer.from(JSON.stringify(content))),
      createdAt: at,
      expiresAt,
    };
    const mail = this.mailOf(asked, handle, code, expiresAt);
    const allowedAt = await this.rows.put(
      row,
      (before) => codeAllowedAt(before, at),
      (tx) => enqueue(tx, [mail]),
    );
    if (allowedAt !== null)
      throw new Refused(portalRefusals.tooManyCodes(), {
        'Retry-After': String(Math.max(1, Math.ceil((epochMs(allowedAt) - epochMs(at)) / 1000))),
      });
    return { handle, expiresAt };
  }

  /** What a code is for. Counts as a try. Rejects with `token_invalid` or `token_expired`; the code is not used up by it. */
  async open<Content>(scope: Scope, purpose: CodePurpose, handle: string, typed: string): Promise<Content> {
    const code = digitsOf(typed);
    if (!HANDLE.test(handle) || code === null) throw new Refused(portalRefusals.codeWrong(null));
    const tried = await this.rows.tryOne(scope, purpose, handle, this.clock());
    if (tried.outcome === 'OVER') throw new Refused(portalRefusals.codeOver());
    if (tried.outcome !== 'TRIED') throw new Refused(portalRefusals.codeWrong(null));
    if (!timingSafeEqual(Buffer.from(this.digestOf(handle, code)), Buffer.from(tried.digest))) {
      if (tried.triesLeft === 0) await this.rows.blank(handle);
      throw new Refused(portalRefusals.codeWrong(tried.triesLeft));
    }
    return JSON.parse(this.master.openSecret(sealedFor(handle), tried.sealed).toString()) as Content;
  }

  /** Uses a code up. False where it was used before. */
  use(handle: string): Promise<boolean> {
    return this.rows.use(handle, this.clock());
  }

  private canSend(env: Environment): boolean {
    return this.hasServer || env === 'test';
  }

  private digestOf(handle: string, code: string): string {
    return this.master.requestDigest(`portal-code\n${handle}\n${code}`);
  }

  private mailOf<Content>(
    { scope, purpose, address, language, brand }: CodeAsked<Content>,
    handle: string,
    code: string,
    expiresAt: Instant,
  ) {
    const { subject, content } = codeMail({ purpose, code, expiresAt, language, brand });
    const { address: from, name } = this.sender;
    const mail = {
      messageId: messageIdOf(handle, from.slice(from.lastIndexOf('@') + 1)),
      subject,
      to: address,
      from: { name: name || brand.name, address: from },
      ...composeMail(content),
      headers: {},
      language,
      dir: content.dir,
    };
    const cipher = cipherWithoutSubject(sealingOf(this.master));
    return mailDelivery({ key: handle, scope, subjectId: null, mail, giveUpAt: expiresAt }, cipher);
  }
}

/** Finds the codes of an address. Only a process with the master key can compute it. */
export const addressDigest = (master: MasterKey, { site, env }: Scope, address: string): string =>
  master.requestDigest(`portal-address\n${site}\n${env}\n${address}`);

const sealedFor = (handle: string): string => `portal-code/${handle}`;
