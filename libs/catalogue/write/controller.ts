import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { actorOf, IdempotentRequests, tellOfChange, type IdempotencyKey } from '../../access/index.js';
import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import type { Done } from '../../commands/once.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import type { ApplyCatalogueDto, CatalogueAppliedDto } from '../dto.js';
import { ApplyCatalogue, ApplyCatalogueHandler, type AppliedCatalogue } from './apply-catalogue.handler.js';

/** How long a publication waits until this process applies it. */
const APPLIED_WITHIN_MS = 1_500;

@Controller('admin/v1/sites/:site/:env/catalogue')
export class CatalogueWriteController {
  constructor(
    private readonly commands: CommandBus,
    private readonly requests: IdempotentRequests,
    private readonly applied: ApplyCatalogueHandler,
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
    const carryOut = async (key: IdempotencyKey | null): Promise<Done<AppliedCatalogue>> => {
      const answer = await this.commands.execute(
        new ApplyCatalogue(scope, input, { actor: actorOf(caller), requestId: caller.requestId, key }),
      );
      return { answer, position: answer.position };
    };
    const done = await this.requests.once(request, caller, input, {
      isDone: (key) => this.applied.isDone(scope, key),
      carryOut,
    });
    const { published, changes } = done.answer;
    tellOfChange(response, done);
    // So that a decision sent right afterwards finds the purpose. Being late is no failure: the files are published.
    if (done.position !== null) await this.catalogue.reached(done.position, APPLIED_WITHIN_MS);
    return { published, changes };
  }
}
