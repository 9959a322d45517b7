import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { KeyDirectory } from '../../access/index.js';
import { ENVIRONMENTS, type Environment, type Scope } from '../../kernel/index.js';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import { Ledger } from '../ledger.js';
import { answerCheckpoint, answerTile } from './shown-tree.js';

/** Ledgers that their sites have opened to the public, so that witnesses and monitors can follow them. */
@Controller('v1/ledgers/:site/:env')
export class OpenLedgerController {
  constructor(
    private readonly ledger: Ledger,
    private readonly sites: KeyDirectory,
  ) {}

  @Get('checkpoint')
  @Operation('getOpenLedgerCheckpoint')
  async checkpoint(@Param('site') site: string, @Param('env') env: string, @Res() response: Response): Promise<void> {
    return answerCheckpoint(this.ledger, this.opened(site, env, response), response);
  }

  @Get('tile/:level/*tile')
  @Operation('getOpenLedgerTile')
  async tile(
    @Param('site') site: string,
    @Param('env') env: string,
    @Param('level') level: string,
    @Param('tile') tile: string | string[],
    @Res() response: Response,
  ): Promise<void> {
    return answerTile(this.ledger, this.opened(site, env, response), level, tile, response, 'public');
  }

  /** A site that has not opened its ledger is answered like a site that does not exist. */
  private opened(site: string, env: string, response: Response): Scope {
    const settings = this.sites.site(site)?.settings;
    if (settings?.ledger !== 'OPEN' || !ENVIRONMENTS.includes(env as Environment)) throw refused('ledger_not_found');
    // Pages of any origin may read it.
    response.setHeader('Access-Control-Allow-Origin', '*');
    return { site, env: env as Environment };
  }
}
