import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Position, ReadProgress, Scope, Work } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { invalid } from '../../http/errors/refused.js';
import { WEBHOOKS_PROGRESS } from '../webhooks-progress.js';
import { FeedNews, type Watch } from './feed-news.js';
import { EventFeed, type FeedPage, type FeedQuestion } from './feed.js';
import { LATEST } from './feed.dto.js';

/** How long a read that names the position of a write waits for the events to hold it, in ms. */
const OWN_WRITE_WAIT_MS = 1_500;

/** How long a caller waits for something to happen, at most, and who ends that. */
export interface Patience {
  ms: number;
  /** Aborted when the caller is gone, or the process is to end. */
  until: AbortSignal;
  /** Called with how long the request only waited. */
  waited: (ms: number) => void;
}

/** What webhooks tell of a site and environment, from a sequence on. */
export class GetEvents extends Query<FeedPage> {
  constructor(
    readonly scope: Scope,
    /** `latest`: what happens from now on; null: from the beginning. */
    readonly after: number | typeof LATEST | null,
    readonly types: readonly string[] | null,
    readonly limit: number,
    readonly patience: Patience,
    /** The caller's own last write. */
    readonly written: Position | null,
    readonly work: Work,
  ) {
    super();
  }
}

@QueryHandler(GetEvents)
export class GetEventsHandler implements IQueryHandler<GetEvents> {
  constructor(
    private readonly feed: EventFeed,
    private readonly news: FeedNews,
    @Inject(WEBHOOKS_PROGRESS) private readonly progress: ReadProgress,
  ) {}

  async execute({ scope, after, types, limit, patience, written, work }: GetEvents): Promise<FeedPage> {
    if (written !== null && !(await this.progress.reached(written, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('read model');
    const watch = patience.ms > 0 ? this.news.watch(scope, types) : null;
    try {
      const from = after === LATEST ? await this.feed.end() : after;
      const question = { scope, after: from, types, limit };
      const page = await this.page(question, work);
      if (page.lookedAt === 0 && typeof after === 'number') await this.requireReached(after);
      return watch ? await this.waitFor(question, page, watch, patience, work) : page;
    } finally {
      watch?.end();
    }
  }

  /** The first page that holds something, else the last that was looked at. */
  private async waitFor(
    question: FeedQuestion,
    first: FeedPage,
    watch: Watch,
    { ms, until, waited }: Patience,
    work: Work,
  ): Promise<FeedPage> {
    const deadline = performance.now() + ms;
    let page = first;
    while (page.bodies.length === 0 && !page.hasMore && !until.aborted) {
      const since = performance.now();
      if (since >= deadline) break;
      await watch.next(deadline - since, until);
      waited(performance.now() - since);
      page = await this.page({ ...question, after: page.through }, work);
    }
    return page;
  }

  private async page(question: FeedQuestion, work: Work): Promise<FeedPage> {
    const page = await this.feed.page(question);
    await work.folded(page.lookedAt);
    return page;
  }

  /** Behind the end of the feed there is nothing that anybody can have dealt with: that was in a log that was lost. */
  private async requireReached(after: number): Promise<void> {
    const end = (await this.feed.end()) ?? -1;
    if (after <= end) return;
    throw invalid(
      [{ path: 'after', message: `is behind the end of the feed, which is ${Math.max(0, end)}` }],
      'The log was replaced by an older one, or the cursor is of another installation. Go on from latest, or fetch again what you are not sure of.',
    );
  }
}
