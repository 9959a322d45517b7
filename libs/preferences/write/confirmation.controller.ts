import { Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { acceptedLocales } from '../../pages/locale.js';
import { Refused } from '../../kernel/index.js';
import { isForm } from '../../http/contract/body.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import { Operation } from '../../http/contract/operation.js';
import { formatPosition, LOG_POSITION_HEADER } from '../../http/position.js';
import { statusOf } from '../../http/errors/status.js';
import type { ShownPage } from '../../pages/frame.js';
import { noticePage } from '../pages/pages.js';
import { sendPage } from '../../pages/send.js';
import { withStatus } from '../redirect-url.js';
import { preferenceRefusals } from '../refusals.js';
import { ConfirmPreferences, type ConfirmedPage } from './confirm-preferences.handler.js';
import type {
  ConfirmationDto,
  ConfirmationTokenDto,
  ConfirmDto,
  RequestConfirmationDto,
  UndoDto,
  UndoneDto,
  UnsubscribeDto,
  UnsubscribedDto,
  UnsubscribeLinkDto,
  UnsubscribeLinkRequestDto,
} from './confirmation.dto.js';
import { RequestConfirmation } from './request-confirmation.handler.js';
import { Undo } from './undo.handler.js';
import { MakeUnsubscribeLink } from './unsubscribe-link.handler.js';
import { Unsubscribe } from './unsubscribe.handler.js';

/** See other: the browser gets the page by itself. */
const SEE_OTHER = 303;

@Controller('v1/preferences')
export class ConfirmationController {
  constructor(private readonly commands: CommandBus) {}

  @Post('confirmation-token')
  @HttpCode(201)
  @Operation('requestConfirmation')
  async request(
    @CallerOf() caller: Caller,
    @Input() input: RequestConfirmationDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConfirmationTokenDto> {
    const { answer, position, replayed } = await this.commands.execute(
      new RequestConfirmation(caller, input, parseIdempotencyKey(request.headers['idempotency-key'])),
    );
    response.setHeader('Cache-Control', 'no-store');
    tell(response, position);
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return answer;
  }

  /** The button of the page posts a form and is sent on; a program posts JSON and is answered. */
  @Post('confirm')
  @Operation('confirmPreferences')
  async confirm(
    @CallerOf() caller: Caller,
    @Input() { token }: ConfirmDto,
    @Req() request: Request,
    @Res() response: Response<ConfirmationDto>,
  ): Promise<void> {
    const byPage = isForm(request);
    const { answer, position, page } = await this.commands.execute(
      new ConfirmPreferences(caller, token, byPage ? 'PAGE' : 'API'),
    );
    response.setHeader('Cache-Control', 'no-store');
    tell(response, position);
    if (!byPage) response.status(200).json(answer);
    else if (answer.redirectUrl === null || page?.isUndone || page?.changed || page?.isWanted)
      sendPage(response, confirmedPage(page, answer.redirectUrl, wishesOf(request)), 200);
    else {
      response.setHeader('Referrer-Policy', 'no-referrer');
      response.writeHead(SEE_OTHER, { Location: withStatus(answer.redirectUrl, 'confirmed') }).end();
    }
  }

  @Post('unsubscribe')
  @Operation('unsubscribe')
  async unsubscribe(
    @CallerOf() caller: Caller,
    @Input() input: UnsubscribeDto,
    @Query('token') inAddress: unknown,
    @Req() request: Request,
    @Res() response: Response<UnsubscribedDto>,
  ): Promise<void> {
    const token = typeof inAddress === 'string' ? inAddress : input.token;
    if (typeof token !== 'string') throw new Refused(preferenceRefusals.tokenInvalid());
    const byPage = isForm(request);
    const { answer, position, locale, brand, undo } = await this.commands.execute(
      new Unsubscribe(caller, token, byPage ? 'PAGE' : 'API'),
    );
    response.setHeader('Cache-Control', 'no-store');
    tell(response, position);
    if (byPage) sendPage(response, noticePage('unsubscribed', [locale], { brand, undo }), 200);
    else response.status(200).json(answer);
  }

  /** Only ever a POST: programs that scan mails and pages open addresses, and press no buttons. */
  @Post('undo')
  @Operation('undoByLink')
  async undo(
    @CallerOf() caller: Caller,
    @Input() { token }: UndoDto,
    @Req() request: Request,
    @Res() response: Response<UndoneDto>,
  ): Promise<void> {
    const byPage = isForm(request);
    const done = await this.commands.execute(new Undo(caller, token, byPage ? 'PAGE' : 'API'));
    response.setHeader('Cache-Control', 'no-store');
    const { locale, brand } = done;
    if (done.outcome === 'UNDONE') {
      tell(response, done.position);
      if (byPage) sendPage(response, noticePage(UNDONE_NOTICES[done.answer.undid], [locale], { brand }), 200);
      else response.status(200).json(done.answer);
    } else if (byPage) {
      const [notice, status] = NOT_UNDONE[done.outcome];
      sendPage(response, noticePage(notice, [locale], { brand }), status);
    } else throw new Refused(done.refusal);
  }

  @Post('unsubscribe-link')
  @HttpCode(200)
  @Operation('makeUnsubscribeLink')
  async link(
    @CallerOf() caller: Caller,
    @Input() input: UnsubscribeLinkRequestDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UnsubscribeLinkDto> {
    response.setHeader('Cache-Control', 'no-store');
    return this.commands.execute(new MakeUnsubscribeLink(caller, input));
  }
}

const NOT_UNDONE = {
  OVER: ['undoOver', statusOf('token_expired')],
  CHANGED_SINCE: ['changedSince', statusOf('state_conflict')],
} as const;
const UNDONE_NOTICES = { CONFIRMATION: 'undone', UNSUBSCRIPTION: 'resubscribed' } as const;

/** Instead of sending the browser on. */
function confirmedPage(page: ConfirmedPage | null, redirectUrl: string | null, wishes: readonly string[]): ShownPage {
  if (!page) return noticePage('already', wishes);
  const { text, brand, isUndone, changed, undo } = page;
  if (isUndone && !changed?.gets.length) return noticePage('undone', [text.language], { brand });
  if (changed) return noticePage('noLonger', [text.language], { brand, undo, standing: changed });
  const onward = redirectUrl === null ? null : withStatus(redirectUrl, 'confirmed');
  return noticePage('confirmed', [text.language], { brand, redirectUrl: onward, undo });
}

const wishesOf = (request: Request): string[] => acceptedLocales(request.headers['accept-language']);

function tell(response: Response, position: bigint | null): void {
  if (position !== null) response.setHeader(LOG_POSITION_HEADER, formatPosition(position));
}
