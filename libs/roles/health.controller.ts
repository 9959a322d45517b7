import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Readiness } from '../operator/readiness.js';
import { Operation } from '../platform/http/operation.js';
import { refused } from '../platform/http/refused.js';
import { Infrastructure } from './infrastructure.js';
import { ReadinessProbe } from './readiness.js';

/** The probes of orchestrators and load balancers. They need no key, and their answers say nothing about data. */
@Controller()
export class HealthController {
  constructor(
    @Inject(Infrastructure) private readonly infrastructure: Infrastructure,
    private readonly readiness: ReadinessProbe,
  ) {}

  /** Says that the process runs. It looks no further, because restarting the process would not bring a database back. */
  @Get('livez')
  @Operation('livez')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** Prometheus' text form. Counts and times only; nothing that a caller wrote. */
  @Get('metrics')
  @Operation('metrics')
  async metrics(@Res() response: Response): Promise<void> {
    const { metrics } = this.infrastructure;
    const text = await metrics.text();
    response.setHeader('Content-Type', metrics.contentType);
    response.end(text);
  }

  @Get('readyz')
  @Operation('readyz')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    response.setHeader('Cache-Control', 'no-store');
    const { waiting, ...readiness } = await this.readiness.look();
    if (waiting.length > 0)
      throw refused('dependency_unavailable', `Waiting for ${waiting.join(', ')}.`, [], { 'Retry-After': '1' });
    return readiness;
  }
}
