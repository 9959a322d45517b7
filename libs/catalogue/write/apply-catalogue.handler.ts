import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideOnce, type DoneBy } from '../../commands/decide-on-stream.js';
import {
  type Position,
  CLOCK,
  catalogueStream,
  isRefusal,
  type Clock,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { applyCatalogue } from '../decide.js';
import type { CatalogueDiff } from '../decide-document.js';
import { CatalogueStreams } from '../editing/catalogue-stream.js';
import { letFilesWrite } from '../editing/settings.js';
import type { CatalogueEvent } from '../events.js';
import type { ApplyCatalogueDto } from '../dto.js';
import { filesOf } from '../files/files-of-input.js';

/** Publishes what differs between these files and the catalogue. A dry run compares also where the console owns it. */
export class ApplyCatalogue extends Command<AppliedCatalogue | Refusal> {
  constructor(
    readonly scope: Scope,
    readonly input: ApplyCatalogueDto,
    readonly by: DoneBy,
    /** By which it is published. Default: that of the process. */
    readonly clock?: Clock,
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
  constructor(
    private readonly streams: CatalogueStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, input, by, clock = this.clock }: ApplyCatalogue): Promise<AppliedCatalogue | Refusal> {
    const files = filesOf(input);
    const done = await decideOnce(this.streams, {
      ...{ stream: catalogueStream(scope), by, clock },
      decide: (state, at) => {
        const decided = applyCatalogue(files, state, at);
        if (isRefusal(decided)) return decided;
        if (input.dryRun) return { ...decided, events: [] };
        const taken = letFilesWrite(state, input.takeOver ?? false);
        return isRefusal(taken) ? taken : { ...decided, events: [...taken.events, ...decided.events] };
      },
    });
    if (isRefusal(done)) return done;
    const { before, at, events, position } = done;
    // Decide a repeated publication again on the state of its first decision, so that the answer is the same.
    const decided = applyCatalogue(files, before, at);
    return { refused: false, events, changes: isRefusal(decided) ? [] : (decided.diff ?? []), position };
  }
}
