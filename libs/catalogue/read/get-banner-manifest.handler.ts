import { hash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { cmpNamed, KeyDirectory, NO_FRAMEWORKS } from '../../access/index.js';
import { CLOCK, hashOf, type Clock, type Instant, type Position, type Scope } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { weakETag } from '../../http/answers/conditional.js';
import { PreparedJson } from '../../http/answers/prepared-json.js';
import { bannerStyleFile } from '../../http/elements/banner-style.js';
import { secondsKept } from '../../policy/index.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { bannerManifest } from '../manifest/manifest.js';
import type { BannerManifestDto } from '../manifest/dto.js';
import { OWN_WRITE_WAIT_MS } from './exchange.js';

/** Bytes of all cached manifests together. That of a small site has some 400 kB, a tenth of it when compressed. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;

export class GetBannerManifest extends Query<PreparedManifest> {
  constructor(
    readonly scope: Scope,
    readonly after: Position | null,
  ) {
    super();
  }
}

export interface PreparedManifest {
  body: PreparedJson;
  etag: string;
  /** Ends at the day on which another rule begins somewhere. */
  keptSeconds: number;
}

interface MadeManifest extends Pick<PreparedManifest, 'body' | 'etag'> {
  /** When another rule begins somewhere; null: not as far as is known. */
  to: Instant | null;
}

@QueryHandler(GetBannerManifest)
export class GetBannerManifestHandler implements IQueryHandler<GetBannerManifest> {
  private readonly made = new LRUCache<string, MadeManifest>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ body }) => body.length,
  });

  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    private readonly directory: KeyDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  async execute({ scope, after }: GetBannerManifest): Promise<PreparedManifest> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const at = this.clock();
    const { frameworks: settings = NO_FRAMEWORKS } = this.directory.site(scope.site)!.settings;
    const name = `${scope.site}.${scope.env} ${this.catalogue.tag(scope, at)} ${hashOf(settings)}`;
    let made = this.made.get(name);
    if (!made || (made.to !== null && made.to <= at)) {
      const { manifest, dated } = bannerManifest(
        this.catalogue.of(scope),
        at,
        { cmp: cmpNamed(settings, scope.env), gpp: settings.gpp },
        `${this.publicUrl}/elements/v1/${bannerStyleFile()}`,
      );
      const body = Buffer.from(JSON.stringify(manifest satisfies BannerManifestDto));
      const ends = dated.flatMap(({ to }) => to ?? []).sort();
      made = {
        body: new PreparedJson(body),
        etag: weakETag(`m${hash('sha256', body, 'base64url').slice(0, 22)}`),
        to: ends[0] ?? null,
      };
      this.made.set(name, made);
    }
    return { body: made.body, etag: made.etag, keptSeconds: secondsKept(made, at) };
  }
}
