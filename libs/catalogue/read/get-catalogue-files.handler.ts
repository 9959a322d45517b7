import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { Stream } from '../../streams/stream.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { CLOCK, catalogueStream, refusal, type Clock, type Scope } from '../../kernel/index.js';
import type { CatalogueFilesDto } from '../dto.js';
import type { CatalogueEvent } from '../events.js';
import { catalogueFiles } from '../files/files-view.js';
import { catalogueFold, type CatalogueState } from '../state.js';

export class GetCatalogueFiles extends Query<CatalogueFilesDto> {
  constructor(readonly scope: Scope) {
    super();
  }
}

/** Reads the stream and not what this process follows, because the next publication is compared with the stream. */
@QueryHandler(GetCatalogueFiles)
export class GetCatalogueFilesHandler implements IQueryHandler<GetCatalogueFiles> {
  private readonly streams: Stream<CatalogueState, CatalogueEvent>;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.streams = new Stream(log, codec, {
      ...catalogueFold,
      contended: () => refusal('state_conflict', 'Another operator is publishing at the same time.', 'Try again.'),
    });
  }

  async execute({ scope }: GetCatalogueFiles): Promise<CatalogueFilesDto> {
    const { state } = await this.streams.load(catalogueStream(scope));
    return catalogueFiles(state, this.clock());
  }
}
