import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import type { CatalogueFilesDto } from '../dto.js';
import { GetCatalogueFiles } from './get-catalogue-files.handler.js';

@Controller('admin/v1/sites/:site/:env/catalogue')
export class CatalogueFilesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('exportCatalogue')
  files(
    @Param('site') site: string,
    @Param('env') env: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueFilesDto> {
    if (!(ENVIRONMENTS as readonly string[]).includes(env))
      throw refused('route_not_found', 'The environment is test or live.');
    response.setHeader('Cache-Control', 'private, no-store');
    return this.queries.execute(new GetCatalogueFiles({ site, env: env as Environment }));
  }
}
