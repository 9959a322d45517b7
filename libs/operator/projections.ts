import type { RecordedEvent } from '../log/port.js';
import type { ProjectorStatus } from '../following/projections/projector.js';
import { rebuildAside, BuildStopped, type Rebuilt } from '../following/generations/rebuild.js';
import { BEGINNING, type Position, Refused, refusal } from '../kernel/index.js';
import type { Engines } from './engines.js';
import type { Operator } from './events.js';
import { readLog } from '../log/log-reading.js';
import { recordOperation } from './operations.js';
import type { AnyProjection, Followed } from './release.js';

/** Positions are decimal text, as everywhere outside. */
export interface ProjectionStatus {
  name: string;
  /** Version of the rows that the view shows; `wanted` is this release's. */
  version: number;
  wanted: number;
  /** How often this version was built anew. */
  rebuild: number;
  live: boolean;
  /** `missing`: no process has made it yet. `awaiting`: the release that runs does not know the event; a newer one may. */
  state: 'running' | 'building' | 'awaiting' | 'stopped' | 'missing';
  position: string;
  head: string;
  /** Age of the oldest wanted event that it does not hold yet, in s; 0 where it holds all. */
  lagSeconds: number;
  /** Events after its checkpoint, 0 where it wants none of them; null where the log does not count events. */
  lagEvents: number | null;
  poison: {
    position: string;
    type: string | null;
    stream: string | null;
    revision: number | null;
    error: string | null;
  } | null;
  updatedAt: string | null;
}

interface Checkpoint {
  name: string;
  version: number;
  rebuild: number;
  live: boolean;
  position: Position;
  status: 'running' | 'awaiting' | 'stopped';
  error: string | null;
  poison_position: Position | null;
  updated_at: Date;
}

const CHECKPOINTS =
  'select name, version, rebuild, live, position, status, error, poison_position, updated_at from projection.checkpoints where name = any($1::text[]) order by name, version, rebuild';
const RESUME = `update projection.shards set status = 'running', error = null, poison_position = null, updated_at = now() where name = $1 and status <> 'running'`;

export async function projectionStatus({
  database,
  log,
  projections: readModels,
  sinks = [],
}: Pick<Engines, 'database' | 'log' | 'projections'> & { sinks?: readonly Followed[] }): Promise<ProjectionStatus[]> {
  const projections: readonly Followed[] = [...readModels, ...sinks];
  const stored = await database.run<Checkpoint>(CHECKPOINTS, [projections.map(({ name }) => name)]);
  const head = await log.head();
  const all: ProjectionStatus[] = [];
  for (const projection of projections) {
    const own = stored.filter(({ name }) => name === projection.name);
    if (own.length === 0)
      all.push({
        name: projection.name,
        version: projection.version,
        wanted: projection.version,
        rebuild: 0,
        live: false,
        state: 'missing',
        position: '-1',
        head: String(head),
        ...(await lagOf(log, projection, BEGINNING, head)),
        poison: null,
        updatedAt: null,
      });
    for (const {
      name,
      version,
      rebuild,
      live,
      position,
      status,
      error,
      poison_position: poison,
      updated_at: updatedAt,
    } of own) {
      const event = poison === null ? null : await eventAt(log, projection, position, poison);
      all.push({
        name,
        version,
        wanted: projection.version,
        rebuild,
        live,
        state: status !== 'running' ? status : live ? 'running' : 'building',
        position: String(position),
        head: String(head),
        ...(await lagOf(log, projection, position, head)),
        poison:
          poison === null
            ? null
            : {
                position: String(poison),
                type: event?.type ?? null,
                stream: event?.stream ?? null,
                revision: event?.revision ?? null,
                error,
              },
        updatedAt: updatedAt.toISOString(),
      });
    }
  }
  return all;
}

/** A projection lags only where a wanted event stands after its checkpoint, however old the checkpoint is. */
async function lagOf(
  log: Engines['log'],
  projection: Followed,
  position: Position,
  head: Position,
): Promise<Pick<ProjectionStatus, 'lagSeconds' | 'lagEvents'>> {
  const next = position < head ? await nextWanted(log, projection, position, head) : null;
  if (next === null) return { lagSeconds: 0, lagEvents: log.countsEvents ? 0 : null };
  const recordedMsAgo = Date.now() - Date.parse(next.metadata.recordedAt);
  const lagMs = Number.isNaN(recordedMsAgo) ? await log.ageAfter(position) : recordedMsAgo;
  return {
    lagSeconds: Math.max(1, Math.round(lagMs ?? 0)) / 1000,
    lagEvents: log.countsEvents ? Number(head - position) : null,
  };
}

/** The next event after a position that a projection looks at. */
async function nextWanted(
  log: Engines['log'],
  { streams }: Followed,
  after: Position,
  head: Position,
): Promise<RecordedEvent | null> {
  let found: RecordedEvent | null = null;
  await readLog(log, { after, through: head, prefixes: streams }, ([first]) =>
    first ? ((found = first), 'enough') : undefined,
  );
  return found;
}

async function eventAt(
  log: Engines['log'],
  { streams }: Followed,
  after: Position,
  position: Position,
): Promise<Pick<RecordedEvent, 'type' | 'stream' | 'revision'> | null> {
  let found: RecordedEvent | null = null;
  await readLog(log, { after, through: position, prefixes: streams }, (events) => {
    const event = events.find((each) => each.position === position);
    if (!event) return;
    found = event;
    return 'enough';
  });
  return found;
}

function projectionNamed({ projections }: Pick<Engines, 'projections'>, name: string): AnyProjection {
  const found = projections.find((projection) => projection.name === name);
  if (!found)
    throw new Refused(
      refusal(
        'projection_unknown',
        `There is no projection ${name}.`,
        `There are: ${projections.map((projection) => projection.name).join(', ')}.`,
      ),
    );
  return found;
}

export interface Progress extends ProjectorStatus {
  head: Position;
}

export async function rebuildProjection(
  engines: Engines,
  name: string,
  by: Operator,
  verify: boolean,
  look: (progress: Progress) => void,
): Promise<Rebuilt> {
  const { log, codec, database } = engines;
  const projection = projectionNamed(engines, name);
  const head = await log.head();
  const rebuilt = await rebuildAside({
    log,
    codec,
    database,
    projection,
    verify,
    look: (status) => look({ ...status, head }),
  }).catch((error: unknown) => {
    if (!(error instanceof BuildStopped)) throw error;
    const { poisonPosition, error: kind } = error.status;
    throw new Refused(
      refusal(
        'projection_stopped',
        `The event at position ${poisonPosition} stops the new rows as well (${kind}); the old ones are still shown.`,
        'Run a release that can read it and rebuild again.',
      ),
    );
  });
  const { generation, position, parity } = rebuilt;
  const data = {
    by,
    projection: name,
    ...generation,
    position: String(position),
    parity: parity === null ? 'UNVERIFIED' : parity.equal ? 'EQUAL' : 'DIFFERENT',
    rows: parity?.new.rows ?? null,
    checksum: parity?.new.checksum ?? null,
  } as const;
  await recordOperation(engines, { type: 'ProjectionRebuilt', data });
  return rebuilt;
}

/** Lets every generation that an event has stopped try it again. */
export async function resumeProjection(engines: Engines, name: string, by: Operator): Promise<void> {
  const stopped = await stoppedGeneration(engines, name);
  await recordOperation(engines, {
    type: 'ProjectionResumed',
    data: { by, projection: name, position: stopped.poison!.position, error: stopped.poison!.error },
  });
  await engines.database.run(RESUME, [name]);
}

export async function stoppedGeneration(engines: Engines, name: string): Promise<ProjectionStatus> {
  if (!engines.sinks.some((sink) => sink.name === name)) projectionNamed(engines, name);
  const stopped = (await projectionStatus(engines))
    .filter((status) => status.name === name && status.poison !== null)
    .sort((a, b) => Number(b.live) - Number(a.live))[0];
  if (!stopped)
    throw new Refused(refusal('projection_not_stopped', `No event stops ${name}.`, 'See assent projections status.'));
  return stopped;
}
