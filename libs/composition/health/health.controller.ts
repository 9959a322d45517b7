import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Readiness } from '../../operator/context.js';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import { keptFor } from '../../engines/kept-for.js';
import { Infrastructure } from '../infrastructure/infrastructure.js';
import { ReadinessProbe } from './readiness.js';

/** How long one text of all metrics is answered: making it takes some ms of the processor, and anybody may ask. */
const METRICS_KEPT_MS = 1_000;

/** The probes of orchestrators and load balancers. They need no key, and their answers say nothing about data. */
@Controller()
export class HealthController {
  private readonly metricsText = keptFor(METRICS_KEPT_MS, () => this.infrastructure.metrics.text());

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

  /** Prometheus' text form. Counts and times only; nothing that a caller wrote. Up to a second old. */
  @Get('metrics')
  @Operation('metrics')
  async metrics(@Res() response: Response): Promise<void> {
    const text = await this.metricsText();
    response.setHeader('Content-Type', this.infrastructure.metrics.contentType);
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
