import { hash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { cmpNamed, KeyDirectory, NO_FRAMEWORKS, type FrameworkSettings } from '../../access/index.js';
import { CLOCK, hashOf, Refused, type Clock, type Instant, type Position, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { weakETag } from '../../http/answers/conditional.js';
import { PreparedJson } from '../../http/answers/prepared-json.js';
import { nameOfRule, policyView, secondsKept, siteRuleAt, type Whereabouts } from '../../policy/index.js';
import { BANNER } from '../banner/document.js';
import type { BannerDto } from '../banner/dto.js';
import { resolvedBanner } from '../banner/resolve.js';
import { lastChange, presentationOf, quarterOf, statedSince } from '../banner/presentation.js';
import { BANNER_VIEW_VERSION, bannerLocale, type BannerView } from '../banner/view.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { ownRulesOf } from '../policies/rules.js';
import { presentationRefusals } from '../banner/presentation-token.js';
import { PRESENTATIONS, type Presentations } from '../banner/presentations.js';
import { shownBanner, ShownBanners, type ShownBanner } from '../banner/shown-banners.js';
import { shownContentHash } from '../manifest/manifest.js';
import { documentInForce } from '../state.js';
import { OWN_WRITE_WAIT_MS } from './exchange.js';

/** Most cached banners: by site, version, rule, language and quarter of an hour. One is 20 kB or less. */
const KEPT_MAX = 500;

export class GetBanner extends Query<PreparedBanner> {
  constructor(
    readonly scope: Scope,
    readonly place: Whereabouts,
    readonly locales: readonly string[],
    readonly after: Position | null,
    /** Of what the page shows already; null: it shows nothing yet. */
    readonly contentHash: string | null,
  ) {
    super();
  }
}

export interface PreparedBanner {
  body: PreparedJson;
  etag: string;
  locale: string;
  /** Ends at the day on which another rule begins. */
  keptSeconds: number;
}

interface Made extends Pick<PreparedBanner, 'body' | 'etag'> {
  view: BannerView;
  /** Made when the first page asks by it. */
  contentHash?: string;
  /** Null if the banner asks for no choice. */
  shown: ShownBanner | null;
}

@QueryHandler(GetBanner)
export class GetBannerHandler implements IQueryHandler<GetBanner> {
  /** Concurrent requests share the promise of one banner, so that each banner is signed once. */
  private readonly made = new LRUCache<string, Promise<Made>>({ max: KEPT_MAX });

  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(PRESENTATIONS) private readonly presentations: Presentations,
    private readonly shown: ShownBanners,
    private readonly directory: KeyDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, place, locales, after, contentHash }: GetBanner): Promise<PreparedBanner> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const at = this.clock();
    const state = this.catalogue.of(scope);
    const dated = siteRuleAt(ownRulesOf(state), place, at);
    const locale = bannerLocale(documentInForce(state, BANNER, at), locales);
    const rule = nameOfRule(dated, place.country);
    const { frameworks: settings = NO_FRAMEWORKS } = this.directory.site(scope.site)!.settings;
    const name = `${scope.site}.${scope.env} ${this.catalogue.tag(scope, at)} ${rule} ${locale} ${quarterOf(at)} ${digestOf(settings)}`;
    let making = this.made.get(name);
    if (!making) {
      const view = resolvedBanner(state, policyView(dated, place.country), locale, at, {
        cmp: cmpNamed(settings, scope.env),
        gpp: settings.gpp,
      });
      making = this.make(scope, view, statedSince(at, [dated.from, lastChange(state, at)]));
      this.made.set(name, making);
      making.catch(() => this.made.delete(name));
    }
    const made = await making;
    if (contentHash !== null && contentHash !== (made.contentHash ??= shownContentHash(made.view)))
      throw new Refused(presentationRefusals.changed());
    const { body, etag, shown } = made;
    // Also for a 304: the page shows the banner once more.
    if (shown) this.shown.count(shown);
    return { body, etag, locale, keptSeconds: secondsKept(dated, at) };
  }

  private async make(scope: Scope, view: BannerView, shownAt: Instant): Promise<Made> {
    const presentation = presentationOf(view, shownAt);
    const presentationToken = presentation && (await this.presentations.tokenOf(scope, presentation));
    const body = Buffer.from(JSON.stringify({ ...view, presentationToken } satisfies BannerDto));
    const etag = weakETag(`b${BANNER_VIEW_VERSION}.${hash('sha256', body, 'base64url').slice(0, 22)}`);
    const isAsked = presentation !== null && presentationToken !== null && view.presentation !== 'NONE';
    return { view, body: new PreparedJson(body), etag, shown: isAsked ? shownBanner(scope, presentation) : null };
  }
}

const digests = new WeakMap<FrameworkSettings, string>();

/** Cached until the settings change. */
function digestOf(settings: FrameworkSettings): string {
  let digest = digests.get(settings);
  if (digest === undefined) digests.set(settings, (digest = hashOf(settings)));
  return digest;
}
