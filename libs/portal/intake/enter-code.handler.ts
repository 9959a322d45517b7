import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DATA_REQUESTS, type DataRequests } from '../../data-requests/services.js';
import { isRefusal, Refused } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { MailedCodes } from '../codes/mailed-codes.js';
import { PORTAL_DOORS, type PortalDoors } from '../doors.js';
import type { Asked } from './ask.handler.js';
import { askedView, unprovenBy, wantedOf, type AskedFor, type Shown } from './asked.js';

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
    @Inject(PORTAL_DOORS) private readonly doors: PortalDoors,
  ) {}

  /** Opened under a key of the code, and used up afterwards: a person who is cut off in between enters it again and has one request. */
  async execute({ caller, handle, code }: EnterPortalCode): Promise<Asked> {
    const asked = await this.codes.open<AskedFor>(caller, 'DATA_REQUEST', handle, code);
    const { identifierId, isProven } = await this.doors.ownerOf(caller, asked.subject);
    const shown: Shown = isProven ? { verifiedBy: 'EMAIL_CODE' } : unprovenBy(identifierId);
    const digest = createHash('sha256').update(`portal-code/${handle}`).digest('hex');
    const opened = await this.requests.open(caller, wantedOf(asked, shown), {
      actor: 'subject:email_code',
      requestId: caller.requestId,
      key: { digest, fingerprint: digest },
    });
    if (isRefusal(opened)) throw new Refused(opened);
    await this.codes.use(handle);
    // An open request that is there already may be another person's.
    const isTheirs = isProven || opened.status === 'OPENED';
    const answer = askedView(asked.type, isTheirs ? opened : null);
    return { answer, position: opened.position, replayed: opened.replayed };
  }
}
