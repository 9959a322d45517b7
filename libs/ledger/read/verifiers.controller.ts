import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { KeyDirectory } from '../../access/index.js';
import { mayAt, TO_LOOK } from '../../context/roles.js';
import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { NOTE_SIGNER, type NoteSigner } from '../../receipts/index.js';
import type { LedgerVerifiersListDto } from './dto.js';
import { verifiersOf, type ShownLedgers } from './verifier-keys.js';

/** The keys of ledgers, for monitors and witnesses, who take one text for each. */
@Controller()
export class VerifierKeysController {
  constructor(
    private readonly sites: KeyDirectory,
    @Inject(NOTE_SIGNER) private readonly signer: NoteSigner,
  ) {}

  @Get('admin/v1/ledger/verifier-key')
  @Operation('listVerifierKeys')
  async ofOperator(@CallerOf() { roles }: Caller): Promise<LedgerVerifiersListDto> {
    const reached = (site: string): Environment[] =>
      ENVIRONMENTS.filter((env) => mayAt(roles!, TO_LOOK, { site, env }));
    return { data: await verifiersOf(this.signer, this.shown(reached)) };
  }

  @Get('.well-known/assent-ledger.json')
  @Operation('getOpenVerifierKeys')
  async open(@Res({ passthrough: true }) response: Response): Promise<LedgerVerifiersListDto> {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cache-Control', 'public, max-age=3600');
    const shown = this.shown(() => ENVIRONMENTS).filter(({ isOpen }) => isOpen);
    return { data: await verifiersOf(this.signer, shown) };
  }

  private shown(envsOf: (site: string) => readonly Environment[]): ShownLedgers[] {
    return this.sites
      .sites()
      .map(({ site, settings }) => ({ site: site!, envs: envsOf(site!), isOpen: settings.ledger === 'OPEN' }));
  }
}
