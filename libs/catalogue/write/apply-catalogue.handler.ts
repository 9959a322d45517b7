import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Codec } from '../../event-log/codec.js';
import { NO_STREAM, type EventLog } from '../../event-log/port.js';
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
import { evolveCatalogue, initialCatalogue, type CatalogueState } from '../state.js';
import { filesOf } from './files-of-input.js';

const MOST_ATTEMPTS = 5;
const PAGE = 500;

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
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly codec: Codec,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, input, actor, requestId }: ApplyCatalogue): Promise<AppliedCatalogue> {
    const files = filesOf(input);
    const stream = catalogueStream(scope);
    for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
      const { state, revision } = await this.load(stream);
      const at = this.clock();
      const decided = applyCatalogue(files, state, at);
      if (isRefusal(decided)) throw new Refused(decided);
      const changes = decided.diff ?? [];
      if (input.dryRun || decided.events.length === 0) return { published: false, changes, position: null };
      const events = decided.events.map((event) => ({
        type: event.type,
        data: this.codec.encode(event),
        id: randomUUID(),
        metadata: { schemaVersion: this.codec.versionOf(event.type), requestId, actor, recordedAt: at },
      }));
      const outcome = await this.log.append(stream, revision === -1 ? NO_STREAM : revision, events);
      if (outcome.outcome === 'appended') return { published: true, changes, position: outcome.position };
    }
    throw new Refused(
      refusal('state_conflict', 'Somebody else is publishing at the same time.', 'Apply the folder again.'),
    );
  }

  private async load(stream: string): Promise<{ state: CatalogueState; revision: number }> {
    let state = initialCatalogue();
    let revision = -1;
    for (;;) {
      const events = await this.log.read(stream, { direction: 'forwards', from: revision + 1, limit: PAGE });
      for (const event of events) {
        state = evolveCatalogue(state, this.codec.decode<CatalogueEvent>(event));
        revision = event.revision;
      }
      if (events.length < PAGE) return { state, revision };
    }
  }
}
