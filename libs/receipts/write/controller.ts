import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Commands, type ChangedBy } from '../../commands/commands.js';
import type { Refusal } from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import type { SigningKeyAnnouncedData, SigningKeyEvent, SigningKeyRevokedData } from '../events.js';
import type {
  AnnouncedKeyDto,
  RevokedKeyDto,
  RevokeSigningKeyDto,
  RotateSigningKeyDto,
  SigningKeyListDto,
} from './dto.js';
import { SigningKeys } from '../signing-keys.js';
import { SigningKeyChanges, type KeysChanged } from './signing-key-changes.js';

/** With which keys receipts are signed, for the operator. Every change is an event with who and when. */
@Controller('admin/v1/signing-keys')
export class SigningKeysController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly changes: SigningKeyChanges,
    private readonly commands: Commands,
  ) {}

  @Get()
  @Operation('listSigningKeys')
  async list(): Promise<SigningKeyListDto> {
    return { data: await this.keys.listed(), nextCursor: null, hasMore: false };
  }

  @Post('rotate')
  @HttpCode(201)
  @Operation('rotateSigningKey')
  async rotate(
    @CallerOf() caller: Caller,
    @Input() input: RotateSigningKeyDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnnouncedKeyDto> {
    const { events } = await this.change(caller, input, request, response, (by) =>
      this.changes.rotate(input.env, input.reason ?? null, by),
    );
    return announcedIn(events)!;
  }

  @Post(':kid/revoke')
  @HttpCode(200)
  @Operation('revokeSigningKey')
  async revoke(
    @CallerOf() caller: Caller,
    @Param('kid') kid: string,
    @Input() input: RevokeSigningKeyDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RevokedKeyDto> {
    const { events, before } = await this.change(caller, input, request, response, (by) =>
      this.changes.revoke(kid, input.reason ?? null, by),
    );
    const revoked = events.find(({ type }) => type === 'SigningKeyRevoked')?.data as SigningKeyRevokedData | undefined;
    const { env, revokedAt } = revoked ?? before!;
    return { kid, env, revokedAt, successor: announcedIn(events) };
  }

  /** Changes keys at most once under the key of the request. */
  private change(
    caller: Caller,
    input: unknown,
    request: Request,
    response: Response,
    carryOut: (by: ChangedBy) => Promise<KeysChanged | Refusal>,
  ): Promise<KeysChanged> {
    return this.commands.change({ caller, input, request, response }, carryOut);
  }
}

function announcedIn(events: readonly SigningKeyEvent[]): AnnouncedKeyDto | null {
  const event = events.find(({ type }) => type === 'SigningKeyAnnounced');
  if (!event) return null;
  const { kid, env, announcedAt, signsFrom } = event.data as SigningKeyAnnouncedData;
  return { kid, env, announcedAt, signsFrom };
}
