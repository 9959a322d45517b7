import { hash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { CLOCK, type Clock, type Position, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../platform/dependency-unavailable.js';
import { weakETag } from '../../platform/http/conditional.js';
import { nameOfRule, policyView, secondsKept, siteRuleAt, type Whereabouts } from '../../policy/index.js';
import { BANNER } from '../banner/document.js';
import { resolvedBanner } from '../banner/resolve.js';
import { BANNER_VIEW_VERSION, bannerLocale } from '../banner/view.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { ownRulesOf } from '../policies/rules.js';
import { documentInForce } from '../state.js';
import { OWN_WRITE_WAIT_MS } from './exchange.js';

/** Different banners that are kept: by site, version, rule and language. One is 20 kB or less. */
const KEPT_MAX = 500;

export class GetBanner extends Query<PreparedBanner> {
  constructor(
    readonly scope: Scope,
    readonly place: Whereabouts,
    readonly locales: readonly string[],
    readonly after: Position | null,
  ) {
    super();
  }
}

export interface PreparedBanner {
  /** JSON. */
  body: Buffer;
  etag: string;
  locale: string;
  /** Not beyond the day on which another rule begins. */
  keptSeconds: number;
}

@QueryHandler(GetBanner)
export class GetBannerHandler implements IQueryHandler<GetBanner> {
  private readonly made = new LRUCache<string, Pick<PreparedBanner, 'body' | 'etag'>>({ max: KEPT_MAX });

  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, place, locales, after }: GetBanner): Promise<PreparedBanner> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const at = this.clock();
    const state = this.catalogue.of(scope);
    const dated = siteRuleAt(ownRulesOf(state), place, at);
    const locale = bannerLocale(documentInForce(state, BANNER, at), locales);
    const rule = nameOfRule(dated, place.country);
    const name = `${scope.site}.${scope.env} ${this.catalogue.tag(scope, at)} ${rule} ${locale}`;
    let answer = this.made.get(name);
    if (!answer) {
      const view = resolvedBanner(state, policyView(dated, place.country), locale, at);
      const body = Buffer.from(JSON.stringify(view));
      const etag = weakETag(`b${BANNER_VIEW_VERSION}.${hash('sha256', body, 'base64url').slice(0, 22)}`);
      this.made.set(name, (answer = { body, etag }));
    }
    return { ...answer, locale, keptSeconds: secondsKept(dated, at) };
  }
}
