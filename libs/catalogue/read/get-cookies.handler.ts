import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { CLOCK, Refused, type Clock, type Position, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { weakETag } from '../../http/answers/conditional.js';
import { writeCursor } from '../../http/list.js';
import { PreparedJson } from '../../http/answers/prepared-json.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { COOKIES } from '../cookies/document.js';
import { COOKIES_VIEW_VERSION, cookieListView, type CookieListView, type CookieView } from '../cookies/view.js';
import { catalogueRefusals } from '../refusals.js';
import { documentInForce, purposeOf } from '../state.js';
import { VENDORS } from '../vendors/document.js';
import { OWN_WRITE_WAIT_MS } from './exchange.js';

/** Bytes of all cached pages together. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;

export class GetCookies extends Query<CookiesAnswer> {
  constructor(
    readonly scope: Scope,
    readonly purpose: string | undefined,
    readonly locales: readonly string[],
    readonly after: Position | null,
    /** `limit` cookies, beginning with number `from`. */
    readonly page: { limit: number; from: number },
  ) {
    super();
  }
}

export interface CookiesAnswer {
  etag: string;
  locale: string;
  /** A CookieListDto. */
  body: PreparedJson;
  /** Number of the cookie that the next page begins with. */
  next: number | null;
}

@QueryHandler(GetCookies)
export class GetCookiesHandler implements IQueryHandler<GetCookies> {
  private readonly made = new LRUCache<string, PreparedJson>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ length }) => length,
  });

  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, purpose, locales, after, page }: GetCookies): Promise<CookiesAnswer> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const at = this.clock();
    const state = this.catalogue.of(scope);
    if (purpose !== undefined && !purposeOf(state, purpose))
      throw new Refused(catalogueRefusals.notFound(purpose, Object.keys(state.purposes), 'purpose'));
    const list = cookieListView(documentInForce(state, COOKIES, at), documentInForce(state, VENDORS, at), locales);
    const wanted =
      purpose === undefined ? list.cookies : list.cookies.filter(({ purposeKeys }) => purposeKeys.includes(purpose));
    const content = list.contentHash.slice('sha256:'.length, 23);
    const etag = weakETag(
      `k${COOKIES_VIEW_VERSION}.${this.catalogue.tag(scope, at)}-${content}-${purpose ?? ''}-${page.from}.${page.limit}`,
    );
    const shown = wanted.slice(page.from, page.from + page.limit);
    const next = wanted.length > page.from + page.limit ? page.from + page.limit : null;
    return { etag, locale: list.locale, body: this.bodyOf(scope, etag, list, shown, next), next };
  }

  /** The tag names version, language, purpose and page: everything that distinguishes the bodies of one site. */
  private bodyOf(
    scope: Scope,
    etag: string,
    { cookies: _, ...about }: CookieListView,
    data: readonly CookieView[],
    next: number | null,
  ): PreparedJson {
    const name = `${scope.site}.${scope.env} ${etag}`;
    let body = this.made.get(name);
    if (!body) {
      const page = { nextCursor: next === null ? null : writeCursor([next]), hasMore: next !== null };
      body = new PreparedJson(Buffer.from(JSON.stringify({ ...about, data, ...page })));
      this.made.set(name, body);
    }
    return body;
  }
}
