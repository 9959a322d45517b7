import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { roleMissing } from '../../access/index.js';
import { Commands } from '../../commands/commands.js';
import { mayAt, TO_DECIDE } from '../../context/roles.js';
import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import type { ApplyCatalogueDto, CatalogueAppliedDto } from '../dto.js';
import { ApplyCatalogue, type AppliedCatalogue } from './apply-catalogue.handler.js';

/** How long a publication waits until this process applies it. */
const APPLIED_WITHIN_MS = 1_500;

@Controller('admin/v1/sites/:site/:env/catalogue')
export class CatalogueWriteController {
  constructor(
    private readonly commands: CommandBus,
    private readonly requests: Commands,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation('applyCatalogue')
  async apply(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Param('env') env: string,
    @Input() input: ApplyCatalogueDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueAppliedDto> {
    if (!(ENVIRONMENTS as readonly string[]).includes(env))
      throw refused('route_not_found', 'The environment is test or live.');
    const scope = { site, env: env as Environment };
    if (!input.dryRun && !mayAt(caller.roles ?? [], TO_DECIDE, scope)) throw roleMissing(TO_DECIDE, scope);
    const { events, changes, position } = await this.requests.change<AppliedCatalogue>(
      { caller, input, request, response },
      (by) => this.commands.execute(new ApplyCatalogue(scope, input, by)),
    );
    // So that a decision sent right afterwards finds the purpose. Being late is no failure: the files are published.
    if (position !== null) await this.catalogue.reached(position, APPLIED_WITHIN_MS);
    return { published: events.some(({ type }) => type !== 'CatalogueEditingChanged'), changes };
  }
}
