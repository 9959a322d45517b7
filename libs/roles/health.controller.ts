import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { KeyDirectory } from '../access/key-directory.js';
import { Operation } from '../platform/http/operation.js';
import { refused } from '../platform/http/refused.js';
import { Infrastructure } from './infrastructure.js';

/** How far the read models may lag behind the log before the instance calls itself not ready, in events. */
const MOST_LAG = 100_000n;

export interface Readiness {
  status: 'ready';
  logPosition: string;
  readPosition: string;
}

/** For whoever keeps the process alive and sends it traffic; without a key, and without telling anything. */
@Controller()
export class HealthController {
  constructor(
    @Inject(Infrastructure) private readonly infrastructure: Infrastructure,
    private readonly keys: KeyDirectory,
  ) {}

  /** The process runs. Never looks further: restarting it would not bring a database back. */
  @Get('livez')
  @Operation('livez')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('readyz')
  @Operation('readyz')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    response.setHeader('Cache-Control', 'no-store');
    const head = await this.infrastructure.log.head();
    const read = this.infrastructure.consentState.position();
    const waiting = [
      ...(this.keys.isReady && this.keys.staleForMs === null ? [] : ['keys']),
      ...(this.infrastructure.catalogue.follower.isReady && this.infrastructure.catalogue.follower.staleForMs === null ? [] : ['catalogue']),
      ...(head - read > MOST_LAG ? ['read models'] : []),
      ...this.infrastructure.consentState.status().filter(({ state }) => state === 'stopped').map(({ name }) => `projection ${name}`),
    ];
    if (waiting.length > 0) throw refused('dependency_unavailable', `Not ready yet: ${waiting.join(', ')}.`, [], { 'Retry-After': '1' });
    return { status: 'ready', logPosition: head.toString(), readPosition: read.toString() };
  }
}
