import type { ReadModel } from '../../context/read-model.js';
import { CheckpointProgress } from '../../following/checkpoint-progress.js';
import type { Codec } from '../../streams/codec.js';
import { ServedProjection } from '../../following/generations/generations.js';
import type { EventLog } from '../../log/port.js';
import type { Committed } from '../../following/sinks/rows-sink.js';
import type { Commits } from '../../following/commits.js';
import type { DomainEvent, ReadProgress } from '../../kernel/index.js';
import { TagsOfView, type TagCache, type TagOfView } from '../../engines/cache/tag-cache.js';
import type { Database } from '../../engines/database/database.js';
import { MeasuredTagCache, type Metrics } from '../../engines/telemetry/metrics.js';

/** When a batch has more subjects than this, the process is catching up: tags are then dropped and not raised, because hardly anybody will ask for them. */
const MOST_RAISED = 256;

/** A read model in one process. */
export interface OpenReadModel {
  model: ReadModel;
  /** Its ETags; null where it has none. */
  tags: TagCache | null;
  /** Keeps its rows up to date; null where another process does. */
  served: ServedProjection<unknown, DomainEvent> | null;
  /** How far its rows have come. */
  progress: ReadProgress;
}

/** What a process opens its read models with. */
export interface ReadModelEngines {
  log: EventLog;
  codec: Codec;
  requests: Database;
  background: Database;
  /** Shared by all read models, and by all processes where there is a Redis. */
  tagCache: TagCache<TagOfView>;
  metrics: Metrics;
  /** Into how many shards read models are split; undefined: as they are. */
  shards: number | undefined;
  commits: Commits;
}

export function openReadModel(model: ReadModel, engines: ReadModelEngines, isProjector: boolean): OpenReadModel {
  const { tagCache, metrics, requests } = engines;
  const tags =
    model.tags === undefined
      ? null
      : new MeasuredTagCache(new TagsOfView(tagCache, model.tags.prefix, model.tags.viewVersion), metrics);
  const served = isProjector ? serve(model, tags, engines) : null;
  return { model, tags, served, progress: progressOf(model, served, requests) };
}

/** Follows the log, and raises the ETags of what it commits. */
function serve(
  { projection, tags: spec }: ReadModel,
  tags: TagCache | null,
  { log, background: database, codec, metrics, shards, commits }: ReadModelEngines,
): ServedProjection<unknown, DomainEvent> {
  const committed: Committed<unknown> = (through, subjectIds, stateOf) => {
    metrics.projected(projection.name, subjectIds.length);
    if (!tags || !spec) return;
    if (stateOf === null || subjectIds.length > MOST_RAISED) return tags.drop(subjectIds);
    for (const subjectId of subjectIds) {
      const { revision, turningPoints, isClosed } = spec.of(stateOf(subjectId));
      tags.raise(subjectId, { revision, turningPoints, through });
      // Raised first, so that no slow reader can put back what held before: a closed subject is answered by another one.
      if (isClosed) tags.drop([subjectId]);
    }
  };
  return new ServedProjection({
    log,
    database,
    codec,
    projection,
    committed,
    commits,
    ...(shards !== undefined && { shards }),
  });
}

function progressOf(
  { projection, exactVersion }: ReadModel,
  served: OpenReadModel['served'],
  requests: Database,
): ReadProgress {
  if (served === null)
    return new CheckpointProgress(requests, projection.name, exactVersion ? projection.version : null);
  return { position: () => served.position(), reached: (position, ms) => served.waitFor(position, ms) };
}
