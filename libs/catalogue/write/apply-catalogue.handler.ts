import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
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
  type Clock,
  type Scope,
} from '../../kernel/index.js';
import { EVENT_LOG } from '../../event-log/tokens.js';
import { applyCatalogue } from '../decide.js';
import type { CatalogueDiff } from '../decide-template.js';
import type { CatalogueEvent } from '../events.js';
import type { ApplyCatalogueDto } from '../dto.js';
import { catalogueFold, type CatalogueState } from '../state.js';
import { filesOf } from './files-of-input.js';

const CATALOGUE_STREAM_FOLD: StreamFold<CatalogueState, CatalogueEvent> = {
  ...catalogueFold,
  contended: () =>
    refusal('state_conflict', 'Somebody else is publishing at the same time.', 'Apply the folder again.'),
};

/** Publish what differs between these files and the catalogue. */
export class ApplyCatalogue extends Command<AppliedCatalogue> {
  constructor(
    readonly scope: Scope,
    readonly input: ApplyCatalogueDto,
    readonly actor: string,
    readonly requestId: string,
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

  async execute({ scope, input, actor, requestId }: ApplyCatalogue): Promise<AppliedCatalogue> {
    const files = filesOf(input);
    const applied = await this.streams.execute<AppliedCatalogue>(catalogueStream(scope), undefined, ({ state }) => {
      const recordedAt = this.clock();
      const decided = applyCatalogue(files, state, recordedAt);
      if (isRefusal(decided)) return decided;
      const changes = decided.diff ?? [];
      const metadata = { requestId, actor, recordedAt };
      return {
        append: input.dryRun ? [] : decided.events.map((event): Intent => ({ event, id: randomUUID(), metadata })),
        answer: (appended) => ({
          published: appended.length > 0,
          changes,
          position: appended.at(-1)?.position ?? null,
        }),
      };
    });
    if (isRefusal(applied)) throw new Refused(applied);
    return applied;
  }
}
