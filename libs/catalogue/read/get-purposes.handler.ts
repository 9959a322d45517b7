import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Position, CLOCK, Refused, type Clock, type Instant, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { weakETag } from '../../http/answers/conditional.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { catalogueRefusals } from '../refusals.js';
import type { PurposePublishedData } from '../events.js';
import { purposeOf, purposesInForce, versionInForce, type CataloguedPurpose, type CatalogueState } from '../state.js';
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
    /** For `all` and `versions`: `limit` items, after a key or a version. */
    readonly page?: { limit: number; after?: string | number },
  ) {
    super();
  }
}

export interface PurposesAnswer {
  etag: string;
  purposes: PurposeDto[];
  /** Cursor of the next page; null if this is the last. */
  next: string | number | null;
}

@QueryHandler(GetPurposes)
export class GetPurposesHandler implements IQueryHandler<GetPurposes> {
  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, what, locales, after, page }: GetPurposes): Promise<PurposesAnswer> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const at = this.clock();
    const { shown, next } = pageOf(wantedIn(this.catalogue.of(scope), what, at), what.kind, page);
    const purposes = shown.map(({ purpose, version }) => purposeView(purpose, version, locales, at));
    const content = createHash('sha256')
      .update([...purposes.map(({ contentHash, status }) => contentHash + status), next ?? ''].join())
      .digest('base64url')
      .slice(0, 16);
    return { etag: weakETag(`c${PURPOSE_VIEW_VERSION}.${this.catalogue.tag(scope, at)}-${content}`), purposes, next };
  }
}

interface Wanted {
  purpose: CataloguedPurpose;
  version: PurposePublishedData;
}

/** Throws Refused if the named purpose or version does not exist. */
function wantedIn(state: CatalogueState, what: GetPurposes['what'], at: Instant): Wanted[] {
  const inForce = (purpose: CataloguedPurpose): Wanted => ({ purpose, version: versionInForce(purpose, at)! });
  if (what.kind === 'all') return purposesInForce(state, at).map(inForce);
  const purpose = purposeOf(state, what.key);
  if (!purpose) throw new Refused(catalogueRefusals.notFound(what.key, Object.keys(state.purposes)));
  if (what.kind === 'versions') return purpose.versions.map((version) => ({ purpose, version }));
  if (what.kind === 'current') {
    if (!versionInForce(purpose, at))
      throw new Refused(catalogueRefusals.notFound(what.key, Object.keys(state.purposes)));
    return [inForce(purpose)];
  }
  const version = purpose.versions.find((candidate) => candidate.version === what.version);
  if (!version) throw new Refused(catalogueRefusals.versionNotFound());
  return [{ purpose, version }];
}

function pageOf(
  wanted: readonly Wanted[],
  kind: GetPurposes['what']['kind'],
  page: GetPurposes['page'],
): Pick<PurposesAnswer, 'next'> & { shown: readonly Wanted[] } {
  if (!page) return { shown: wanted, next: null };
  const keyOf = ({ purpose, version }: Wanted): string | number => (kind === 'all' ? purpose.key : version.version);
  const left = wanted.filter((each) => page.after === undefined || keyOf(each) > page.after);
  const shown = left.slice(0, page.limit);
  return { shown, next: left.length > shown.length ? keyOf(shown.at(-1)!) : null };
}
