import { Controller, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CLOCK, Refused, type Clock, type Instant } from '../../kernel/index.js';
import { Commands } from '../../commands/commands.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { LIST_LIMIT_DEFAULT, ListQuery, paged, pageOf, readCursor } from '../../http/list.js';
import { conditionOfToken, unknownToken, type OperatorTokenState } from '../operators/operator-token-state.js';
import { OperatorTokens } from '../operators/operator-tokens.js';
import { SessionRows } from '../operators/session-rows.js';
import { KeyUse } from '../sites/key-use.js';
import type { RevokeKeyDto } from './dto.js';
import type {
  ChangeOperatorDto,
  EndedSessionsDto,
  OperatorDto,
  OperatorListDto,
  OperatorSessionListDto,
} from './operators.dto.js';

/** Persons and programs who act as operators, for administrators. */
@Controller('admin/v1/operators')
export class OperatorsController {
  constructor(
    private readonly tokens: OperatorTokens,
    private readonly sessions: SessionRows,
    private readonly uses: KeyUse,
    private readonly commands: Commands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('listOperators')
  async list(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<OperatorListDto> {
    const { limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(ListQuery, request.originalUrl);
    const before = cursor === undefined ? Infinity : readCursor(cursor, ['number'] as const)[0];
    // The place in the order of issue never changes, so pages stay stable while tokens are issued.
    const placed = [...(await this.tokens.state()).values()].map((token, place) => ({ token, place })).reverse();
    const page = pageOf(
      placed.filter(({ place }) => place < before),
      limit,
      ({ place }) => [place],
    );
    paged(request, response, page);
    return { ...page, data: await this.shown(page.data.map(({ token }) => token)) };
  }

  @Patch(':id')
  @Operation('changeOperator')
  async change(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Input() input: ChangeOperatorDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OperatorDto> {
    const { state } = await this.commands.change({ caller, input, request, response }, (by) =>
      this.tokens.change(id, input, by),
    );
    return (await this.shown([state.get(id)!]))[0]!;
  }

  @Post(':id/end')
  @HttpCode(200)
  @Operation('endOperator')
  async end(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Input() input: RevokeKeyDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OperatorDto> {
    const { state } = await this.commands.change({ caller, input, request, response }, (by) =>
      this.tokens.revoke(id, input.reason ?? null, by),
    );
    await this.sessions.endAll(id, this.clock(), caller);
    return (await this.shown([state.get(id)!]))[0]!;
  }

  @Get(':id/sessions')
  @Operation('listOperatorSessions')
  async listSessions(@CallerOf() { session }: Caller, @Param('id') id: string): Promise<OperatorSessionListDto> {
    requireId(id);
    const rows = await this.sessions.of(id, this.clock());
    return {
      data: rows.map(({ id: of, beganAt, lastSeenAt, endsAt }) => ({
        id: of,
        beganAt,
        lastSeenAt,
        endsAt,
        current: of === session,
      })),
    };
  }

  @Post(':id/sessions/end')
  @HttpCode(200)
  @Operation('endOperatorSessions')
  async endSessions(@CallerOf() caller: Caller, @Param('id') id: string): Promise<EndedSessionsDto> {
    requireId(id);
    return { ended: await this.sessions.endAll(id, this.clock(), caller) };
  }

  private async shown(tokens: readonly OperatorTokenState[]): Promise<OperatorDto[]> {
    const seen = await this.uses.lastUsed(tokens.map(({ tokenId }) => tokenId));
    const at = this.clock();
    return tokens.map((token) => operatorView(token, seen.get(token.tokenId) ?? null, at));
  }
}

const operatorView = (token: OperatorTokenState, lastSeenAt: Instant | null, at: Instant): OperatorDto => ({
  id: token.tokenId,
  kind: 'PROGRAM',
  name: token.name,
  email: null,
  source: 'TOKEN',
  roles: [...token.roles],
  state: conditionOfToken(token, at) === 'live' ? 'ACTIVE' : 'ENDED',
  lastSeenAt,
  createdAt: token.issuedAt,
  createdBy: token.createdBy,
});

/** Persons who sign in elsewhere are known by their sessions alone, so any id of the form may have some. */
function requireId(id: string): void {
  if (!/^op[rt]_[\w-]{1,40}$/.test(id)) throw new Refused(unknownToken());
}
