import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { acceptedLocales } from '../../pages/locale.js';
import { Operation } from '../../http/contract/operation.js';
import { statusOf } from '../../http/errors/status.js';
import { confirmPage, unsubscribePage } from './pages.js';
import { GetConfirmPage, GetUnsubscribePage } from './queries.js';
import { sendPage } from '../../pages/send.js';

const TOKEN_LENGTH_MAX = 2048;
const STATUS_OF_STATE = {
  open: 200,
  confirmed: 200,
  changed: 200,
  undone: 200,
  done: 200,
  expired: statusOf('token_expired'),
  ended: statusOf('token_invalid'),
  invalid: statusOf('token_invalid'),
} as const;

/**
 * The pages that links in mails lead to. Programs that scan mails open links, follow them and run scripts, so that
 * opening changes nothing: only the button does.
 */
@Controller('v1/preferences')
export class PreferencePagesController {
  constructor(private readonly queries: QueryBus) {}

  @Get('confirm')
  @Operation('confirmPage')
  async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    const model = await this.queries.execute(new GetConfirmPage(tokenOf(request)));
    sendPage(response, confirmPage(model, wishesOf(request)), STATUS_OF_STATE[model.state]);
  }

  @Get('unsubscribe')
  @Operation('unsubscribePage')
  async unsubscribe(@Req() request: Request, @Res() response: Response): Promise<void> {
    const model = await this.queries.execute(new GetUnsubscribePage(tokenOf(request)));
    sendPage(response, unsubscribePage(model, wishesOf(request)), STATUS_OF_STATE[model.state]);
  }
}

const wishesOf = (request: Request): string[] => acceptedLocales(request.headers['accept-language']);

/** Empty where there is none, or more than one. What mail programs and trackers add to a link is passed over. */
function tokenOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  const tokens = at === -1 ? [] : new URLSearchParams(originalUrl.slice(at)).getAll('token');
  return tokens.length === 1 && tokens[0]!.length <= TOKEN_LENGTH_MAX ? tokens[0]! : '';
}
