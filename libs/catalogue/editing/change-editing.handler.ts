import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideOnce, type DoneBy } from '../../commands/decide-on-stream.js';
import type { Changed } from '../../commands/commands.js';
import { CLOCK, catalogueStream, isRefusal, type Clock, type Refusal, type Scope } from '../../kernel/index.js';
import { evolveCatalogue } from '../state.js';
import { CatalogueStreams } from './catalogue-stream.js';
import { changeEditing, editingOf, type CatalogueEditing } from './settings.js';

export type EditingChanged = Changed & { refused: false; editing: CatalogueEditing };

/** Changes who writes a catalogue, and whose eyes a draft needs. */
export class ChangeCatalogueEditing extends Command<EditingChanged | Refusal> {
  constructor(
    readonly scope: Scope,
    readonly wanted: Partial<CatalogueEditing>,
    readonly by: DoneBy,
  ) {
    super();
  }
}

@CommandHandler(ChangeCatalogueEditing)
export class ChangeCatalogueEditingHandler implements ICommandHandler<ChangeCatalogueEditing> {
  constructor(
    private readonly streams: CatalogueStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, wanted, by }: ChangeCatalogueEditing): Promise<EditingChanged | Refusal> {
    const done = await decideOnce(this.streams, {
      ...{ stream: catalogueStream(scope), by, clock: this.clock },
      decide: (state) => changeEditing(wanted, state),
    });
    if (isRefusal(done)) return done;
    const { before, events, position } = done;
    return { refused: false, events, position, editing: editingOf(events.reduce(evolveCatalogue, before)) };
  }
}
