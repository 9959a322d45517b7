import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ENVIRONMENTS, type Environment } from '../../../kernel/index.js';
import { Input } from '../../../http/caller.js';
import { Operation } from '../../../http/contract/operation.js';
import { refused } from '../../../http/errors/refused.js';
import { SimulateCatalogue } from './simulate-catalogue.handler.js';
import type { SimulateCatalogueDto, SimulationDto } from '../../simulation/simulation-dto.js';

@Controller('admin/v1/sites/:site/:env/catalogue/simulation')
export class SimulationController {
  constructor(private readonly queries: QueryBus) {}

  @Post()
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
}
