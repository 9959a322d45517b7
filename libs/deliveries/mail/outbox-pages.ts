import { Controller, Get, Inject, Module, Param, Query, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Operation } from '../../http/contract/operation.js';
import { invalid, refused } from '../../http/errors/refused.js';
import { cameDirectly } from '../../http/this-machine.js';
import type { MailOutbox } from './outbox.js';
import { sendPage } from '../../pages/send.js';
import { mailPage, outboxPage, PART_CSP } from './outbox-html.js';

/** What the outbox pages need: the mails, and which readers they admit. */
export interface OutboxSource {
  outbox: MailOutbox;
  /**
   * NONE: mail goes to a server, the pages do not exist. THIS_MACHINE: a browser on it needs no token (`isPrivate` in
   * this-machine.ts).
   */
  readers: 'NONE' | 'THIS_MACHINE' | 'OPERATOR';
  /** Whether it is the token of an operator who may read persons of `test`, of every site. */
  mayRead: (presented: string) => Promise<boolean>;
}

/** Injection token of the OutboxSource. */
export const OUTBOX_SOURCE = Symbol('OutboxSource');

/** For the operation table: these need no API key. The controller decides which readers it admits. */
export const OUTBOX_OPERATIONS = [
  { id: 'listOutbox', method: 'GET', path: '/outbox' },
  { id: 'getOutboxMail', method: 'GET', path: '/outbox/{id}' },
  { id: 'getOutboxMailHtml', method: 'GET', path: '/outbox/{id}/html' },
] as const;

const MAILS_ON_A_PAGE = 25;

/**
 * Pages that show the mails of test environments. The mails hold addresses and links that confirm, so only a browser on
 * this machine reads them without a token. It must have connected directly: not through a proxy, and not by another
 * host's name that was pointed here (DNS rebinding). All other callers send the operator token.
 */
@Controller()
export class OutboxController {
  constructor(@Inject(OUTBOX_SOURCE) private readonly source: OutboxSource) {}

  @Get('outbox')
  @Operation('listOutbox')
  async list(
    @Req() req: IncomingMessage,
    @Res() res: ServerResponse,
    @Query('before') before?: unknown,
  ): Promise<void> {
    await this.admit(req);
    if (before !== undefined && !isMailId(before))
      throw invalid([{ path: 'before', message: 'is not the number of a mail' }], 'Follow the links of the page.');
    const mails = await this.source.outbox.list(before === undefined ? null : BigInt(before), MAILS_ON_A_PAGE + 1);
    const shown = mails.slice(0, MAILS_ON_A_PAGE);
    const older = mails.length > shown.length ? shown.at(-1)!.id : null;
    sendPage(res, outboxPage(shown, older, before === undefined), 200);
  }

  @Get('outbox/:id')
  @Operation('getOutboxMail')
  async mail(@Param('id') id: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.admit(req);
    sendPage(res, mailPage(await this.find(id)), 200);
  }

  @Get('outbox/:id/html')
  @Operation('getOutboxMailHtml')
  async html(@Param('id') id: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.admit(req);
    const { html, language } = (await this.find(id)).mail;
    sendPage(res, { html, csp: PART_CSP, language }, 200);
  }

  private async find(id: string) {
    const found = isMailId(id) ? await this.source.outbox.find(BigInt(id)) : null;
    if (!found)
      throw refused(
        'route_not_found',
        'There is no such mail: the outbox keeps the last 500 of seven days. See /outbox.',
      );
    return found;
  }

  private async admit(req: IncomingMessage): Promise<void> {
    if (this.source.readers === 'NONE') throw refused('route_not_found');
    if (needsNoToken(this.source, req)) return;
    const presented = /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
    if (presented === undefined)
      throw refused(
        'api_key_missing',
        'Open it at its own address on the machine where the service runs, or send the operator token: Authorization: Bearer op_...',
      );
    if (!(await this.source.mayRead(presented)))
      throw refused(
        'api_key_invalid',
        'The outbox takes the token of an operator who may read persons of every site in test, such as the one of the first start.',
      );
  }
}

/** Whether this caller may read the mails without the operator token. A browser's address bar cannot send one. */
export const needsNoToken = ({ readers }: Pick<OutboxSource, 'readers'>, request: IncomingMessage): boolean =>
  readers === 'THIS_MACHINE' && cameDirectly(request);

const isMailId = (text: unknown): text is string => typeof text === 'string' && /^[1-9]\d{0,17}$/.test(text);

/** Serves the outbox; needs the OUTBOX_SOURCE of the process that opens the engines. */
@Module({ controllers: [OutboxController] })
export class OutboxModule {}
