import { Controller, Get, Inject } from '@nestjs/common';
import { backlog } from '../../deliveries/queue.js';
import { keptFor } from '../../engines/kept-for.js';
import { Operation } from '../../http/contract/operation.js';
import { loadHealth, type Health } from '../../operator/context.js';
import { Infrastructure } from '../infrastructure/infrastructure.js';
import { RELEASE_PARTS } from '../release-parts.js';
import { VERSION } from '../version.js';
import type { HealthDto, ProjectionHealthDto } from './operator-health.dto.js';
import { ABOUT_PROCESS, type AboutProcess } from './start.controller.js';

/** One answer costs some statements for each read model, and operators' pages ask again and again. */
const KEPT_MS = 10_000;
/** Older looks say nothing of how fast a read model is now. */
const RATE_WITHIN_MS = 600_000;

type Projections = Health['projections'];

/** The doctor's findings over HTTP, from within a process that has the engines open. */
@Controller('admin/v1/health')
export class OperatorHealthController {
  private readonly look = keptFor(KEPT_MS, () => this.examined());
  private before: { atMs: number; projections: Projections } | null = null;

  constructor(
    @Inject(Infrastructure) private readonly infrastructure: Infrastructure,
    @Inject(ABOUT_PROCESS) private readonly about: AboutProcess,
  ) {}

  @Get()
  @Operation('getHealth')
  health(): Promise<HealthDto> {
    return this.look();
  }

  private async examined(): Promise<HealthDto> {
    const { log, background: database } = this.infrastructure;
    const { examineRunning } = await loadHealth();
    const [health, queues] = await Promise.all([
      examineRunning(RELEASE_PARTS, { log, database, vendorLists: this.about.vendorLists }),
      backlog(database),
    ]);
    const { status, checkedAt, findings, projections, skipped, last } = health;
    const rates = this.ratesOf(projections);
    return {
      status,
      checkedAt,
      release: VERSION,
      roles: [...this.about.roles],
      findings,
      projections: projections.map((each, i) => shown(each, rates[i]!)),
      skipped: skipped.map(({ projection, position, everywhere, type }) => ({
        projection,
        position: String(position),
        everywhere,
        type,
      })),
      queues: queues.map(({ channel, open, oldestSeconds }) => ({ queue: channel, open, oldestSeconds })),
      lastBackup: last.BACKUP,
      ledgerVerified: last.LEDGER_VERIFIED,
    };
  }

  private ratesOf(projections: Projections): (number | null)[] {
    const atMs = performance.now();
    const { before } = this;
    this.before = { atMs, projections };
    if (before === null || atMs - before.atMs > RATE_WITHIN_MS) return projections.map(() => null);
    return projections.map(({ name, version, rebuild, position }) => {
      const then = before.projections.find(
        (each) => each.name === name && each.version === version && each.rebuild === rebuild,
      );
      if (!then) return null;
      const went = Number(BigInt(position) - BigInt(then.position));
      return Math.max(0, Math.round((went / (atMs - before.atMs)) * 1_000));
    });
  }
}

const shown = (
  { name, version, rebuild, live, state, position, head, lagSeconds, lagEvents, poison }: Projections[number],
  rate: number | null,
): ProjectionHealthDto => ({
  name,
  version,
  rebuild,
  live,
  state,
  position,
  head,
  rate,
  lagSeconds,
  lagEvents,
  poison: poison && { position: poison.position, type: poison.type, error: poison.error },
});
