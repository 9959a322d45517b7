import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CLOCK, parseInstant, type Clock, type Instant, type Refusal } from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { LIST_LIMIT_DEFAULT, ListQuery, paged, pageOf, readCursor } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { Commands, type ChangedBy } from '../../commands/commands.js';
import { conditionOfToken, type OperatorTokenState } from '../operators/operator-token-state.js';
import { OperatorTokens, type TokensDone } from '../operators/operator-tokens.js';
import type { RevokeKeyDto, RotateKeyDto } from './dto.js';
import type {
  IssuedOperatorTokenDto,
  IssueOperatorTokenDto,
  OperatorTokenDto,
  OperatorTokenListDto,
  RotatedOperatorTokenDto,
} from './operator-tokens.dto.js';

/** Tokens of operators, for the operator. Every change is an event with its operator and time. */
@Controller('admin/v1/operator-tokens')
export class OperatorTokensController {
  constructor(
    private readonly tokens: OperatorTokens,
    private readonly commands: Commands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('listOperatorTokens')
  async list(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<OperatorTokenListDto> {
    const { limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(ListQuery, request.originalUrl);
    const before = cursor === undefined ? Infinity : readCursor(cursor, ['number'] as const)[0];
    const at = this.clock();
    // A token's place in the order of issue never changes, so pages stay stable while tokens are issued.
    const placed = [...(await this.tokens.state()).values()].map((token, place) => ({ token, place })).reverse();
    const page = pageOf(
      placed.filter(({ place }) => place < before),
      limit,
      ({ place }) => [place],
    );
    paged(request, response, page);
    return { ...page, data: page.data.map(({ token }) => tokenView(token, at)) };
  }

  @Post()
  @HttpCode(201)
  @Operation('issueOperatorToken')
  async issue(
    @CallerOf() caller: Caller,
    @Input() input: IssueOperatorTokenDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssuedOperatorTokenDto> {
    const { name, roles, expiresAt: ends } = input;
    const expiresAt = typeof ends === 'string' ? parseInstant(ends)! : ends;
    const done = await this.change(caller, input, request, response, (by) =>
      this.tokens.issue({ name, roles, expiresAt }, by),
    );
    return { ...viewAtIssue(done), token: done.text! };
  }

  @Post(':id/rotate')
  @HttpCode(201)
  @Operation('rotateOperatorToken')
  async rotate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Input() { overlap = '24h', reason = undefined }: RotateKeyDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RotatedOperatorTokenDto> {
    const input = { overlap, ...(reason !== undefined && { reason }) };
    const done = await this.change(caller, input, request, response, (by) =>
      this.tokens.rotate(id, overlap, reason ?? null, by),
    );
    return { ...viewAtIssue(done), token: done.text!, overlapEndsAt: done.state.get(id)!.expiresAt! };
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @Operation('revokeOperatorToken')
  async revoke(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Input() input: RevokeKeyDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OperatorTokenDto> {
    const { state } = await this.change(caller, input, request, response, (by) =>
      this.tokens.revoke(id, input.reason ?? null, by),
    );
    return tokenView(state.get(id)!, this.clock());
  }

  /** Changes tokens at most once under the key of the request. */
  private change(
    caller: Caller,
    input: unknown,
    request: Request,
    response: Response,
    carryOut: (by: ChangedBy) => Promise<TokensDone | Refusal>,
  ): Promise<TokensDone> {
    return this.commands.change({ caller, input, request, response }, carryOut);
  }
}

/** The token as of its issue, so that a repeated request gets the same answer at any time. */
function viewAtIssue({ state, tokenId }: TokensDone): OperatorTokenDto {
  const token = state.get(tokenId)!;
  return tokenView(token, token.issuedAt!);
}

function tokenView(token: OperatorTokenState, at: Instant): OperatorTokenDto {
  const { tokenId, name, last4, issuedAt, createdBy, roles, expiresAt, rotatedFrom, replacedBy, revokedAt } = token;
  return {
    id: tokenId,
    name,
    last4,
    state: conditionOfToken(token, at),
    createdAt: issuedAt,
    createdBy,
    roles: [...roles],
    expiresAt,
    rotatedFrom,
    replacedBy,
    revokedAt,
  };
}
