import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideOnce, type DoneBy } from '../../commands/decide-on-stream.js';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { Stream } from '../../streams/stream.js';
import type { StreamFold } from '../../streams/stream-fold.js';
import {
  type Position,
  CLOCK,
  catalogueStream,
  isRefusal,
  refusal,
  type Clock,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { applyCatalogue } from '../decide.js';
import type { CatalogueDiff } from '../decide-document.js';
import type { CatalogueEvent } from '../events.js';
import type { ApplyCatalogueDto } from '../dto.js';
import { catalogueFold, type CatalogueState } from '../state.js';
import { filesOf } from '../files/files-of-input.js';

const CATALOGUE_STREAM_FOLD: StreamFold<CatalogueState, CatalogueEvent> = {
  ...catalogueFold,
  contended: () =>
    refusal('state_conflict', 'Another operator is publishing at the same time.', 'Apply the folder again.'),
};

/** Publishes what differs between these files and the catalogue. */
export class ApplyCatalogue extends Command<AppliedCatalogue | Refusal> {
  constructor(
    readonly scope: Scope,
    readonly input: ApplyCatalogueDto,
    readonly by: DoneBy,
  ) {
    super();
  }
}

export interface AppliedCatalogue {
  refused: false;
  /** None where nothing was to be published. */
  events: readonly CatalogueEvent[];
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

  async execute({ scope, input, by }: ApplyCatalogue): Promise<AppliedCatalogue | Refusal> {
    const files = filesOf(input);
    const done = await decideOnce(this.streams, {
      ...{ stream: catalogueStream(scope), by, clock: this.clock },
      decide: (state, at) => {
        const decided = applyCatalogue(files, state, at);
        return isRefusal(decided) || !input.dryRun ? decided : { ...decided, events: [] };
      },
    });
    if (isRefusal(done)) return done;
    const { before, at, events, position } = done;
    // Decide a repeated publication again on the state of its first decision, so that the answer is the same.
    const decided = applyCatalogue(files, before, at);
    return { refused: false, events, changes: isRefusal(decided) ? [] : (decided.diff ?? []), position };
  }
}
