import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Outbound } from '../../../engines/outbound/outbound.js';
import type { IsAllowed } from '../../../engines/outbound/judged-lookup.js';
import { resolver } from '../../../engines/outbound/resolve.js';
import { LIST_BYTES_MAX } from '../read-list.js';
import { FileSource } from './file-source.js';
import { LIST_SETTINGS, type ListSettings, type Source } from './sources.js';
import { UpstreamSource, type Upstream } from './upstream-source.js';

/** Injection token of the IsAllowed of the upstream. */
export const UPSTREAM_ALLOWED = Symbol('UpstreamAllowed');

/** From the look-up of the host to the last byte of a list. */
const TOTAL_MS = 60_000;

/** The sources of lists that the operator configured. */
@Injectable()
export class ListSources implements OnModuleDestroy {
  private readonly upstream: Upstream;

  constructor(
    @Inject(LIST_SETTINGS) private readonly settings: ListSettings,
    @Inject(UPSTREAM_ALLOWED) isAllowed: IsAllowed,
  ) {
    const outbound = new Outbound({
      resolve: resolver({ isLocal: (host) => !host.includes('.') }),
      totalMs: TOTAL_MS,
      readBytes: LIST_BYTES_MAX,
      // One byte above the limit shows that a list is too large.
      keptBytes: LIST_BYTES_MAX + 1,
    });
    this.upstream = { outbound, isAllowed, nowMs: () => Date.now() };
  }

  /** Null if none is configured. */
  get list(): Source | null {
    const { path, url } = this.settings;
    if (path !== null) return new FileSource(path);
    return url === null ? null : new UpstreamSource(url, this.upstream);
  }

  /** The texts in another language, which stand beside the list. */
  texts(locale: string): Source | null {
    const { path, url } = this.settings;
    if (path !== null) return FileSource.translation(path, locale);
    return url === null ? null : UpstreamSource.translation(url, locale, this.upstream);
  }

  onModuleDestroy(): void {
    this.upstream.outbound.close();
  }
}
