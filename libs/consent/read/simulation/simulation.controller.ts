import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ENVIRONMENTS, type Environment } from '../../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../../http/caller.js';
import { Operation } from '../../../http/contract/operation.js';
import { refused } from '../../../http/errors/refused.js';
import type { CatalogueFolderDto } from '../../../catalogue/dto.js';
import { FinishedDraft } from '../../../catalogue/services.js';
import { SimulateCatalogue } from './simulate-catalogue.handler.js';
import type { SimulateCatalogueDto, SimulateDraftDto, SimulationDto } from '../../simulation/simulation-dto.js';

@Controller('admin/v1/sites/:site/:env/catalogue')
export class SimulationController {
  constructor(private readonly queries: QueryBus) {}

  @Post('simulation')
  @HttpCode(200)
  @Operation('simulateCatalogue')
  simulate(
    @Param('site') site: string,
    @Param('env') env: string,
    @Input() input: SimulateCatalogueDto,
  ): Promise<SimulationDto> {
    if (!(ENVIRONMENTS as readonly string[]).includes(env))
      throw refused('route_not_found', 'The environment is test or live.');
    return this.queries.execute(new SimulateCatalogue({ site, env: env as Environment }, input));
  }

  @Post('draft/simulation')
  @HttpCode(200)
  @Operation('simulateCatalogueDraft')
  async simulateDraft(@CallerOf() caller: Caller, @Input() input: SimulateDraftDto): Promise<SimulationDto> {
    const files = await this.queries.execute<FinishedDraft, CatalogueFolderDto>(new FinishedDraft(caller));
    return this.queries.execute(new SimulateCatalogue(caller, { ...files, ...input }));
  }
}
