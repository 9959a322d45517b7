import { Controller, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../platform/http/caller.js';
import { Operation } from '../../platform/http/operation.js';
import { formatPosition, LOG_POSITION_HEADER } from '../../platform/http/position.js';
import { refused } from '../../platform/http/refused.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import type { ApplyCatalogueDto, CatalogueAppliedDto } from '../dto.js';
import { ApplyCatalogue } from './apply-catalogue.handler.js';

/** How long publishing waits until this instance itself goes by it. */
const APPLIED_WITHIN_MS = 1_500;

@Controller('admin/v1/sites/:site/:env/catalogue')
export class CatalogueWriteController {
  constructor(
    private readonly commands: CommandBus,
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
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueAppliedDto> {
    if (!(ENVIRONMENTS as readonly string[]).includes(env))
      throw refused('route_not_found', 'The environment is test or live.');
    const { published, changes, position } = await this.commands.execute(
      new ApplyCatalogue({ site, env: env as Environment }, input, 'operator', caller.requestId),
    );
    if (position !== null) {
      response.setHeader(LOG_POSITION_HEADER, formatPosition(position));
      // So that a decision sent right afterwards finds the purpose. Too late is no failure: it is published.
      await this.catalogue.reached(position, APPLIED_WITHIN_MS);
    }
    return { published, changes };
  }
}
