import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DATA_REQUESTS, type DataRequests } from '../../data-requests/intake.js';
import { isRefusal, Refused } from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import { MailedCodes } from '../codes/mailed-codes.js';
import type { Asked } from './ask.handler.js';
import { askedView, wantedOf, type AskedFor } from './asked.js';

/** Prove a request that a code was mailed for. */
export class EnterPortalCode extends Command<Asked> {
  constructor(
    readonly caller: Caller,
    readonly handle: string,
    readonly code: string,
  ) {
    super();
  }
}

@CommandHandler(EnterPortalCode)
export class EnterPortalCodeHandler implements ICommandHandler<EnterPortalCode> {
  constructor(
    @Inject(DATA_REQUESTS) private readonly requests: DataRequests,
    private readonly codes: MailedCodes,
  ) {}

  /** Opened under a key of the code, and used up behind: whoever is cut off in between enters it again and has one request. */
  async execute({ caller, handle, code }: EnterPortalCode): Promise<Asked> {
    const asked = await this.codes.open<AskedFor>(caller, 'DATA_REQUEST', handle, code);
    const digest = createHash('sha256').update(`portal-code/${handle}`).digest('hex');
    const opened = await this.requests.open(caller, wantedOf(asked, 'EMAIL_CODE'), {
      actor: 'subject:email_code',
      requestId: caller.requestId,
      key: { digest, fingerprint: digest },
    });
    if (isRefusal(opened)) throw new Refused(opened);
    await this.codes.use(handle);
    return { answer: askedView(asked.type, opened), position: opened.position, replayed: opened.replayed };
  }
}
