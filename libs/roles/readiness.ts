import { Inject, Injectable } from '@nestjs/common';
import { KeyDirectory } from '../access/key-directory.js';
import type { Readiness } from '../operator/readiness.js';
import { Infrastructure } from './infrastructure.js';

/** How far the read models may lag behind the log before the instance calls itself not ready, in positions. */
const MOST_LAG = 100_000n;

export interface ReadinessSeen extends Readiness {
  /** What the instance waits for, in words; empty where it takes requests. */
  waiting: string[];
}

/** Whether this instance takes requests. */
@Injectable()
export class ReadinessProbe {
  /** Set when the process is about to end. It still answers, but asks for traffic to go elsewhere. */
  draining = false;

  constructor(
    @Inject(Infrastructure) private readonly infrastructure: Infrastructure,
    private readonly keys: KeyDirectory,
  ) {}

  /** Rejects with DependencyUnavailable or LogUnavailable where the log does not answer. */
  async look(): Promise<ReadinessSeen> {
    const { log, readModels, catalogue, waits } = this.infrastructure;
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
      ...(await Promise.all(waits.map(async (waitedFor) => waitedFor()))).flat(),
    ];
    return {
      status: 'ready',
      logPosition: head.toString(),
      readPosition: read.toString(),
      keysPosition: this.keys.position.toString(),
      cataloguePosition: catalogue.follower.position.toString(),
      waiting,
    };
  }
}
