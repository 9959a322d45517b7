import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Position, CLOCK, Refused, type Clock, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../platform/dependency-unavailable.js';
import { weakETag } from '../../platform/http/conditional.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { catalogueRefusals } from '../refusals.js';
import { purposeOf, purposesInForce, versionInForce, type CataloguedPurpose } from '../state.js';
import { PURPOSE_VIEW_VERSION, purposeView } from '../view.js';
import type { PurposeDto } from '../dto.js';
import { OWN_WRITE_WAIT_MS } from './exchange.js';

export class GetPurposes extends Query<PurposesAnswer> {
  constructor(
    readonly scope: Scope,
    readonly what:
      | { kind: 'all' }
      | { kind: 'current'; key: string }
      | { kind: 'versions'; key: string }
      | { kind: 'version'; key: string; version: number },
    readonly locales: readonly string[],
    readonly after: Position | null,
  ) {
    super();
  }
}

export interface PurposesAnswer {
  etag: string;
  purposes: PurposeDto[];
}

@QueryHandler(GetPurposes)
export class GetPurposesHandler implements IQueryHandler<GetPurposes> {
  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, what, locales, after }: GetPurposes): Promise<PurposesAnswer> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const at = this.clock();
    const state = this.catalogue.of(scope);
    const view = (purpose: CataloguedPurpose, version = versionInForce(purpose, at)): PurposeDto =>
      purposeView(purpose, version!, locales, at);
    const purposes = ((): PurposeDto[] => {
      if (what.kind === 'all') return purposesInForce(state, at).map((purpose) => view(purpose));
      const purpose = purposeOf(state, what.key);
      if (!purpose) throw new Refused(catalogueRefusals.notFound());
      if (what.kind === 'versions') return purpose.versions.map((version) => view(purpose, version));
      if (what.kind === 'current') {
        if (!versionInForce(purpose, at)) throw new Refused(catalogueRefusals.notFound());
        return [view(purpose)];
      }
      const version = purpose.versions.find((candidate) => candidate.version === what.version);
      if (!version) throw new Refused(catalogueRefusals.versionNotFound());
      return [view(purpose, version)];
    })();
    const content = createHash('sha256')
      .update(purposes.map(({ contentHash, status }) => contentHash + status).join())
      .digest('base64url')
      .slice(0, 16);
    return { etag: weakETag(`c${PURPOSE_VIEW_VERSION}.${this.catalogue.tag(scope, at)}-${content}`), purposes };
  }
}
