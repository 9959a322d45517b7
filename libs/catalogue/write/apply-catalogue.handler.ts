import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OperatorKey } from '../../access/index.js';
import { Codec } from '../../event-log/codec.js';
import type { EventLog } from '../../event-log/port.js';
import { Stream, type Intent } from '../../event-log/stream.js';
import type { StreamFold } from '../../event-log/stream-fold.js';
import {
  type Position,
  CLOCK,
  catalogueStream,
  isRefusal,
  refusal,
  Refused,
  uuidV5,
  type Clock,
  type Scope,
} from '../../kernel/index.js';
import { EVENT_LOG } from '../../event-log/tokens.js';
import { applyCatalogue, type CatalogueFiles } from '../decide.js';
import type { CatalogueDiff } from '../decide-document.js';
import type { CatalogueEvent } from '../events.js';
import type { ApplyCatalogueDto } from '../dto.js';
import { catalogueFold, type CatalogueState } from '../state.js';
import { filesOf } from '../files-of-input.js';

const CATALOGUE_STREAM_FOLD: StreamFold<CatalogueState, CatalogueEvent> = {
  ...catalogueFold,
  contended: () =>
    refusal('state_conflict', 'Somebody else is publishing at the same time.', 'Apply the folder again.'),
};

/** Who publishes, for the metadata of the events; `key`: of the request, where it has one. */
export interface PublishedBy {
  actor: string;
  requestId?: string;
  key?: OperatorKey | null;
}

/** Publish what differs between these files and the catalogue. */
export class ApplyCatalogue extends Command<AppliedCatalogue> {
  constructor(
    readonly scope: Scope,
    readonly input: ApplyCatalogueDto,
    readonly by: PublishedBy,
  ) {
    super();
  }
}

export interface AppliedCatalogue {
  published: boolean;
  changes: CatalogueDiff[];
  position: Position | null;
}

@CommandHandler(ApplyCatalogue)
export class ApplyCatalogueHandler implements ICommandHandler<ApplyCatalogue> {
  private readonly streams: Stream<CatalogueState, CatalogueEvent>;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.streams = new Stream(log, codec, CATALOGUE_STREAM_FOLD);
  }

  /** Whether something stands under the key of a request. */
  async isDone(scope: Scope, { digest, search }: OperatorKey): Promise<boolean> {
    return (await this.streams.load(catalogueStream(scope), { find: [search] })).keys.has(digest);
  }

  async execute({ scope, input, by: { actor, requestId, key } }: ApplyCatalogue): Promise<AppliedCatalogue> {
    const files = filesOf(input);
    const ids: string[] = [];
    const idOf = (i: number): string => (ids[i] ??= key ? uuidV5(`${key.digest}/operator/${i}`) : randomUUID());
    const applied = await this.streams.execute<AppliedCatalogue | readonly number[]>(
      catalogueStream(scope),
      undefined,
      ({ state, keys }) => {
        const before = key && keys.get(key.digest);
        if (before) return { append: [], answer: () => before.revisions };
        const recordedAt = this.clock();
        const decided = applyCatalogue(files, state, recordedAt);
        if (isRefusal(decided)) return decided;
        const changes = decided.diff ?? [];
        const metadata = {
          actor,
          recordedAt,
          ...(requestId && { requestId }),
          ...(key && { idempotencyKey: key.digest, fingerprint: key.fingerprint }),
        };
        return {
          append: input.dryRun ? [] : decided.events.map((event, i): Intent => ({ event, id: idOf(i), metadata })),
          answer: (appended) => ({
            published: appended.length > 0,
            changes,
            position: appended.at(-1)?.position ?? null,
          }),
        };
      },
      { find: key ? [key.search] : [] },
    );
    if (isRefusal(applied)) throw new Refused(applied);
    return 'published' in applied ? applied : this.appliedBefore(scope, files, applied);
  }

  /** What was answered when these events were published: decided again on what they were decided on. */
  private async appliedBefore(
    scope: Scope,
    files: CatalogueFiles,
    revisions: readonly number[],
  ): Promise<AppliedCatalogue> {
    const stream = catalogueStream(scope);
    const events = await this.streams.at(stream, revisions);
    const decided = applyCatalogue(
      files,
      await this.streams.stateBefore(stream, revisions[0]!),
      events[0]!.metadata.recordedAt,
    );
    return { published: true, changes: decided.diff ?? [], position: events.at(-1)!.position };
  }
}
