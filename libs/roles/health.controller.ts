import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { KeyDirectory } from '../access/key-directory.js';
import { Operation } from '../platform/http/operation.js';
import type { Readiness } from '../operator/readiness.js';
import { refused } from '../platform/http/refused.js';
import { Infrastructure } from './infrastructure.js';

/** How far the read models may lag behind the log before the instance calls itself not ready, in positions. */
const MOST_LAG = 100_000n;

/** The probes of orchestrators and load balancers. They need no key, and their answers say nothing about data. */
@Controller()
export class HealthController {
  /** Set when the process is about to end. It still answers, but asks for traffic to go elsewhere. */
  draining = false;

  constructor(
    @Inject(Infrastructure) private readonly infrastructure: Infrastructure,
    private readonly keys: KeyDirectory,
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
    const { log, readModels, catalogue } = this.infrastructure;
    const head = await log.head();
    // One look, no waiting: where another process projects, its checkpoint is read.
    const awaited = readModels.flatMap(({ model, progress }) => (model.progress ? [progress] : []));
    await Promise.all(awaited.map((progress) => progress.reached(head, 0)));
    const read = awaited.map((progress) => progress.position()).reduce((a, b) => (a < b ? a : b), head);
    const waiting = [
      ...(this.draining ? ['nothing: this instance is stopping'] : []),
      ...(this.keys.isReady && this.keys.staleForMs === null ? [] : ['keys']),
      ...(catalogue.follower.isReady && catalogue.follower.staleForMs === null ? [] : ['catalogue']),
      ...(head - read > MOST_LAG ? ['read models'] : []),
      ...readModels.flatMap(({ served }) =>
        (served?.status() ?? [])
          .filter(({ state }) => state === 'stopped' || state === 'awaiting')
          .map(({ name }) => `projection ${name}, which an event has stopped`),
      ),
    ];
    if (waiting.length > 0)
      throw refused('dependency_unavailable', `Waiting for ${waiting.join(', ')}.`, [], { 'Retry-After': '1' });
    return {
      status: 'ready',
      logPosition: head.toString(),
      readPosition: read.toString(),
      keysPosition: this.keys.position.toString(),
      cataloguePosition: catalogue.follower.position.toString(),
    };
  }
}
