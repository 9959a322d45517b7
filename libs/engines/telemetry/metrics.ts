import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUse } from '../database/database.js';
import type { SubjectTag, TagCache } from '../cache/tag-cache.js';
import { EventCounts, type CountedEvent } from './event-counts.js';
import { RequestTimes } from './request-times.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

/** Name and position of one projection, for its gauges. */
export interface ProjectionGauges {
  name: string;
  position: bigint;
  folded: number;
  running: boolean;
}

/** The part of the event log that metrics read. */
export interface MeasuredLog {
  countsEvents: boolean;
  head(): Promise<bigint>;
  ageAfter(position: bigint): Promise<number | null>;
}

/** Numbers of webhook endpoints over all sites, by their state. */
export interface ReceiverGauges {
  enabled: number;
  paused: number;
  disabled: number;
  /** Enabled, and their receivers keep failing. */
  failing: number;
  /** Enabled, with events that are not in their queue yet. */
  behind: number;
}

/** Deliveries of one channel that are not finished, and the age of the oldest. */
export interface Backlog {
  channel: string;
  open: number;
  oldestSeconds: number;
}

/** What the process looks up at each scrape instead of counting it all the time. */
export interface MetricsSource {
  log(): MeasuredLog;
  isLogThere(): boolean;
  logLosses(): number;
  /** Writes that were refused because more were under way than the process can answer in time. */
  writesRefused(): number;
  /** Times that the operator token of the first start was accepted. */
  firstTokenUses(): number;
  /** Whether the log is the one that the service knows. */
  isLogAccepted(): boolean;
  projections(): ProjectionGauges[];
  /** Empty in processes that deliver nothing. */
  deliveries(): Promise<Backlog[]>;
  /** Of webhooks; null in processes that deliver nothing. */
  receivers(): Promise<ReceiverGauges | null>;
  /** Of each pool of connections to Postgres. */
  pools(): Readonly<Record<string, PoolUse>>;
}

/** Gauges of prom-client that are named like counters. The same numbers by type have right names. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * How often Node.js looks whether the event loop is late. Its own choice, every 10 ms, costs an idle process 0.7 % of a
 * core.
 */
const LOOP_LOOKED_AT_MS = 100;
const LOOP_LAGS = ['min', 'max', 'mean', 'p50', 'p90', 'p99'];

/** Node.js counts the time between two looks as lag: without it an idle process would seem to be late by that much. */
function withoutPause(registry: Registry, name: string): void {
  const lag = registry.getSingleMetric(name) as Gauge;
  const set = lag.set.bind(lag) as (labels: object, seconds: number) => void;
  lag.set = ((labels: object, seconds: number) =>
    set(labels, Math.max(0, seconds - LOOP_LOOKED_AT_MS / 1000))) as typeof lag.set;
}

/**
 * What the process counts, in Prometheus' text form. Labels are operations, outcomes and projections: closed lists that
 * no caller can extend, without anything personal.
 */
export class Metrics {
  private readonly registry = new Registry();
  readonly contentType = this.registry.contentType;
  private readonly requests = new RequestTimes(this.registry, SECONDS);
  private readonly appends = new Histogram({
    name: 'assent_log_append_seconds',
    help: 'Time to append to the event log, by outcome.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly appendedEvents = new Histogram({
    name: 'assent_log_append_events',
    help: 'Events in one append.',
    buckets: [1, 2, 3, 5, 10, 50, 100, 500],
    registers: [this.registry],
  });
  private readonly reads = new Histogram({
    name: 'assent_log_read_seconds',
    help: 'Time to read a page of a stream.',
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly tags = new Counter({
    name: 'assent_etag_lookups_total',
    help: 'Look-ups of cached tags.',
    labelNames: ['result'],
    registers: [this.registry],
  });
  /** A plain number until the scrape: a counter with labels costs more than the look-up that it counts. */
  private tagHits = 0;
  private tagMisses = 0;
  private readonly replays = new Counter({
    name: 'assent_idempotent_replays_total',
    help: 'Answers that were the first answer again.',
    registers: [this.registry],
  });
  private readonly choreFailures = new Counter({
    name: 'assent_chore_failures_total',
    help: 'Subjects for whom something was due that failed, by chore; the log names them.',
    labelNames: ['chore'],
    registers: [this.registry],
  });
  private readonly chorePutOffs = new Gauge({
    name: 'assent_chore_put_off_subjects',
    help: 'Subjects for whom something is due that failed and is tried again later, by chore.',
    labelNames: ['chore'],
    registers: [this.registry],
  });
  private readonly batches = new Histogram({
    name: 'assent_projection_batch_keys',
    help: 'Rows changed by one batch of a projection.',
    labelNames: ['projection'],
    buckets: [1, 10, 100, 500, 1000, 2000],
    registers: [this.registry],
  });

  private readonly deliveries = new Counter({
    name: 'assent_delivery_attempts_total',
    help: 'Attempts at deliveries, by channel and what came of them.',
    labelNames: ['channel', 'outcome'],
    registers: [this.registry],
  });
  private readonly deliveryTimes = new Histogram({
    name: 'assent_delivery_seconds',
    help: 'Time of an attempt at a delivery.',
    labelNames: ['channel'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  private readonly waiting = new Gauge({
    name: 'assent_deliveries_waiting',
    help: 'Deliveries that are not finished, by channel.',
    labelNames: ['channel'],
    registers: [this.registry],
  });
  private readonly oldest = new Gauge({
    name: 'assent_deliveries_oldest_seconds',
    help: 'Age of the oldest delivery that is not finished, by channel.',
    labelNames: ['channel'],
    registers: [this.registry],
  });
  private readonly endpoints = new Gauge({
    name: 'assent_webhook_endpoints',
    help: 'Endpoints of webhooks over all sites, by state.',
    labelNames: ['state'],
    registers: [this.registry],
  });
  private readonly endpointsFailing = new Gauge({
    name: 'assent_webhook_endpoints_failing',
    help: 'Enabled endpoints whose receivers keep failing.',
    registers: [this.registry],
  });
  private readonly endpointsBehind = new Gauge({
    name: 'assent_webhook_endpoints_behind',
    help: 'Enabled endpoints with events that are not even in their queue, because it is full.',
    registers: [this.registry],
  });

  private readonly head = new Gauge({
    name: 'assent_log_head_position',
    help: 'Position of the last event; 0 while the log cannot be reached.',
    registers: [this.registry],
  });
  private readonly accepted = new Gauge({
    name: 'assent_log_accepted',
    help: '1 while the event log is the one that the service knows, 0 while an operator has to accept it.',
    registers: [this.registry],
  });
  private readonly position = this.ofProjection('assent_projection_position', 'Log position a projection has reached.');
  private readonly running = this.ofProjection(
    'assent_projection_running',
    '1 while it runs, 0 when an event has stopped it.',
  );
  private readonly folded = new Counter({
    name: 'assent_projection_folded_events_total',
    help: 'Events folded since the start of the process.',
    labelNames: ['projection'],
    registers: [this.registry],
  });
  private readonly lagEvents = this.ofProjection(
    'assent_projection_lag_events',
    'Events of the log that a projection has not looked at yet. Only with the log in Postgres, whose positions count events.',
  );
  private readonly lagSeconds = this.ofProjection(
    'assent_projection_lag_seconds',
    'Age of the oldest event that a projection has not looked at yet; 0 where there is none, absent while the log does not answer.',
  );
  private readonly logThere = new Gauge({
    name: 'assent_log_up',
    help: '1 while the event log answers, 0 while it does not.',
    registers: [this.registry],
  });
  private readonly logLosses = new Counter({
    name: 'assent_log_losses_total',
    help: 'How often the event log stopped answering.',
    registers: [this.registry],
  });
  private readonly writesRefused = new Counter({
    name: 'assent_writes_refused_total',
    help: 'Writes that were refused because more were under way than the process can answer.',
    registers: [this.registry],
  });
  private readonly firstTokenUses = new Counter({
    name: 'assent_first_token_uses_total',
    help: 'How often the operator token of the first start was accepted, which is meant for emergencies.',
    registers: [this.registry],
  });
  private readonly connections = new Gauge({
    name: 'assent_database_connections',
    help: 'Connections to Postgres, by pool and by whether a query has them.',
    labelNames: ['pool', 'state'],
    registers: [this.registry],
  });
  private readonly connectionsMax = this.ofPool(
    'assent_database_connections_max',
    'Most connections to Postgres that a pool opens.',
  );
  private readonly waitingForConnection = this.ofPool(
    'assent_database_waiting',
    'Calls that wait for a connection to Postgres.',
  );
  private readonly happened: EventCounts;

  constructor(
    private readonly source: MetricsSource,
    counted: readonly CountedEvent[],
    version: string,
  ) {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LOOP_LOOKED_AT_MS });
    for (const statistic of LOOP_LAGS) withoutPause(this.registry, `nodejs_eventloop_lag_${statistic}_seconds`);
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.happened = new EventCounts(counted, this.registry);
    new Gauge({
      name: 'assent_build_info',
      help: 'Always 1: the release that runs, and the Node.js below it.',
      labelNames: ['version', 'node_version'],
      registers: [this.registry],
    }).set({ version, node_version: process.version }, 1);
  }

  /** Everything, as Prometheus reads it. */
  async text(): Promise<string> {
    this.tags.reset();
    this.tags.inc({ result: 'hit' }, this.tagHits);
    this.tags.inc({ result: 'miss' }, this.tagMisses);
    await this.lookAtLog();
    this.writesRefused.reset();
    this.writesRefused.inc(this.source.writesRefused());
    this.firstTokenUses.reset();
    this.firstTokenUses.inc(this.source.firstTokenUses());
    this.accepted.set(this.source.isLogAccepted() ? 1 : 0);
    for (const [pool, { used, idle, max, waiting }] of Object.entries(this.source.pools())) {
      this.connections.set({ pool, state: 'used' }, used);
      this.connections.set({ pool, state: 'idle' }, idle);
      this.connectionsMax.set({ pool }, max);
      this.waitingForConnection.set({ pool }, waiting);
    }
    await this.lookAtDeliveries();
    return this.registry.metrics();
  }

  private async lookAtDeliveries(): Promise<void> {
    const receivers = await this.source.receivers().catch(() => null);
    if (receivers !== null) {
      for (const state of ['enabled', 'paused', 'disabled'] as const) this.endpoints.set({ state }, receivers[state]);
      this.endpointsFailing.set(receivers.failing);
      this.endpointsBehind.set(receivers.behind);
    }
    const waiting = await this.source.deliveries().catch(() => null);
    if (waiting !== null) {
      this.waiting.reset();
      this.oldest.reset();
      for (const { channel, open, oldestSeconds } of waiting) {
        this.waiting.set({ channel }, open);
        this.oldest.set({ channel }, oldestSeconds);
      }
    }
  }

  private async lookAtLog(): Promise<void> {
    const log = this.source.log();
    const head = await log.head().catch(() => null);
    this.head.set(Number(head ?? 0n));
    this.logThere.set(this.source.isLogThere() ? 1 : 0);
    this.logLosses.reset();
    this.logLosses.inc(this.source.logLosses());
    const projections = this.source.projections();
    this.folded.reset();
    for (const { name: projection, position, folded, running } of projections) {
      this.position.set({ projection }, Number(position));
      this.running.set({ projection }, running ? 1 : 0);
      this.folded.inc({ projection }, folded);
    }
    // Clears the gauges first: while the head is unknown, an old lag would look like a new one.
    for (const gauge of [this.lagEvents, this.lagSeconds]) gauge.reset();
    if (head === null) return;
    const ages = projections.map(async ({ name: projection, position }) => {
      if (log.countsEvents) this.lagEvents.set({ projection }, Math.max(0, Number(head - position)));
      const ageMs = position < head ? await log.ageAfter(position) : 0;
      this.lagSeconds.set({ projection }, (ageMs ?? 0) / 1000);
    });
    await Promise.allSettled(ages);
  }

  answered(operation: string, status: number, seconds: number, replayed: boolean): void {
    this.requests.observe(operation, status, seconds);
    if (replayed) this.replays.inc();
  }

  appended(outcome: string, seconds: number, events: number): void {
    this.appends.observe({ outcome }, seconds);
    this.appendedEvents.observe(events);
  }

  /** Counts events that were just appended. */
  recorded(events: readonly { type: string; data: unknown }[]): void {
    for (const event of events) this.happened.add(event);
  }

  read(seconds: number): void {
    this.reads.observe(seconds);
  }

  delivered(channel: string, outcome: string, seconds: number): void {
    this.deliveries.inc({ channel, outcome });
    this.deliveryTimes.observe({ channel }, seconds);
  }

  tagLookedUp(found: boolean): void {
    if (found) this.tagHits++;
    else this.tagMisses++;
  }

  chorePutOff(chore: string, subjects: number): void {
    this.chorePutOffs.set({ chore }, subjects);
  }

  choreFailed(chore: string): void {
    this.choreFailures.inc({ chore });
  }

  projected(projection: string, keys: number): void {
    this.batches.observe({ projection }, keys);
  }

  private ofPool(name: string, help: string): Gauge<'pool'> {
    return new Gauge({ name, help, labelNames: ['pool'], registers: [this.registry] });
  }

  private ofProjection(name: string, help: string): Gauge<'projection'> {
    return new Gauge({ name, help, labelNames: ['projection'], registers: [this.registry] });
  }
}

/** Any tag cache, with its hits and misses counted. */
export class MeasuredTagCache implements TagCache {
  constructor(
    private readonly tags: TagCache,
    private readonly metrics: Metrics,
  ) {}

  find(subjectId: string): Promise<SubjectTag | null> | SubjectTag | null {
    const found = this.tags.find(subjectId);
    if (found instanceof Promise) return found.then((tag) => this.counted(tag));
    return this.counted(found);
  }

  raise(subjectId: string, tag: SubjectTag): void {
    this.tags.raise(subjectId, tag);
  }

  drop(subjectIds: readonly string[]): void {
    this.tags.drop(subjectIds);
  }

  private counted(tag: SubjectTag | null): SubjectTag | null {
    this.metrics.tagLookedUp(tag !== null);
    return tag;
  }
}
