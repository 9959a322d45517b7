import { Controller, Header, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import type { IssuePortalTokenDto, PortalTokenDto } from './dto.js';
import { IssuePortalToken } from './issue-token.handler.js';

@Controller('v1/portal-tokens')
export class PortalTokensController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @HttpCode(201)
  @Header('Cache-Control', 'no-store')
  @Operation('createPortalToken')
  issue(@CallerOf() caller: Caller, @Input() input: IssuePortalTokenDto): Promise<PortalTokenDto> {
    return this.commands.execute(new IssuePortalToken(caller, input));
  }
}
