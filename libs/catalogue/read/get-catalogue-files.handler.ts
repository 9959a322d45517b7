import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CLOCK, catalogueStream, type Clock, type Scope } from '../../kernel/index.js';
import type { CatalogueFilesDto } from '../dto.js';
import { CatalogueStreams } from '../editing/catalogue-stream.js';
import { catalogueFiles } from '../files/files-view.js';

export class GetCatalogueFiles extends Query<CatalogueFilesDto> {
  constructor(readonly scope: Scope) {
    super();
  }
}

/** Reads the stream and not what this process follows, because the next publication is compared with the stream. */
@QueryHandler(GetCatalogueFiles)
export class GetCatalogueFilesHandler implements IQueryHandler<GetCatalogueFiles> {
  constructor(
    private readonly streams: CatalogueStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope }: GetCatalogueFiles): Promise<CatalogueFilesDto> {
    const { state } = await this.streams.load(catalogueStream(scope));
    return catalogueFiles(state, this.clock());
  }
}
