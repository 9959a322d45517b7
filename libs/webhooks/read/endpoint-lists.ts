import { Inject, Injectable } from '@nestjs/common';
import type { Stream } from '../../streams/stream.js';
import { isId, type Instant, type Position, type ReadProgress, type Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { Repositories } from '../../engines/database/repositories.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { LIST_LIMIT_DEFAULT, pageOf, readCursor, type Page } from '../../http/list.js';
import { MasterKey } from '../../vault/master-key.js';
import type { ListedWebhookEndpointDto, WebhookEndpointListQuery } from '../endpoints/dto.js';
import type { WebhookEndpointEvent } from '../events.js';
import { openUrl } from '../sealed-fields.js';
import { endpointOf, endpointsOf, webhooksStream, type WebhookEndpoint, type WebhooksState } from '../state.js';
import { WEBHOOK_STREAMS } from '../tokens.js';
import { endpointView } from '../view.js';
import { WEBHOOKS_PROGRESS } from '../webhooks-progress.js';
import { queuesOf, type EndpointQueue } from './endpoint-queues.js';
import type { ListedEndpoint } from './entities.js';

/** How long rows are waited for that must hold what the caller knows of, before the stream itself is asked. */
const ROWS_WITHIN_MS = 250;

/**
 * Endpoints, from rows, which know how deliveries are going. Nothing is missing that the caller knows: the write whose
 * position he sends, and whatever this instance wrote. Where rows are not there yet, or are away, the stream is folded;
 * cursors are the same, so that one page may be from here and the next from there.
 */
@Injectable()
export class EndpointLists {
  constructor(
    private readonly repositories: Repositories,
    private readonly database: Database,
    private readonly master: MasterKey,
    @Inject(WEBHOOK_STREAMS) private readonly streams: Stream<WebhooksState, WebhookEndpointEvent>,
    @Inject(WEBHOOKS_PROGRESS) private readonly progress: ReadProgress,
  ) {}

  /** Newest first. `after`: the caller's own last write. Throws Refused for a cursor that is none. */
  async list(
    scope: Scope,
    { limit = LIST_LIMIT_DEFAULT, cursor, state }: WebhookEndpointListQuery,
    after: Position | null,
  ): Promise<Page<ListedWebhookEndpointDto>> {
    const before = cursor === undefined ? null : readCursor(cursor, ['string'] as const)[0];
    const rows = await this.rows(scope, after, async () => {
      const { ListedEndpoint } = await import('./entities.js');
      return this.repositories.ask(ListedEndpoint, (endpoints) => {
        const { site, env } = scope;
        const query = endpoints.createQueryBuilder('endpoint').where({ site, env });
        if (before !== null) query.andWhere('endpoint.id < :before', { before });
        if (state !== undefined) query.andWhere('endpoint.state = :state', { state });
        return query
          .orderBy('endpoint.id', 'DESC')
          .take(limit + 1)
          .getMany();
      });
    });
    const found = rows ?? (await this.folded(scope, before, state));
    return pageOf(found, limit, ({ id }) => [id]);
  }

  /** Null where there is no such endpoint. */
  async get(scope: Scope, id: string, after: Position | null): Promise<ListedWebhookEndpointDto | null> {
    if (!isId('whe', id)) return null;
    const rows = await this.rows(scope, after, async () => {
      const { ListedEndpoint } = await import('./entities.js');
      const { site, env } = scope;
      return this.repositories.ask(ListedEndpoint, (endpoints) => endpoints.find({ where: { id, site, env } }));
    });
    if (rows) return rows[0] ?? null;
    const endpoint = endpointOf(await this.newest(scope), id);
    return endpoint ? this.ofState(endpoint) : null;
  }

  /** Null where rows do not hold all that must be in the answer. */
  private async rows(
    scope: Scope,
    after: Position | null,
    read: () => Promise<ListedEndpoint[]>,
  ): Promise<ListedWebhookEndpointDto[] | null> {
    const own = this.streams.peek(webhooksStream(scope))?.position ?? 0n;
    const wanted = after !== null && after > own ? after : own;
    try {
      if (!(await this.progress.reached(wanted, ROWS_WITHIN_MS))) return null;
      const rows = await read();
      const queues = await queuesOf(
        this.database,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => this.ofRow(row, queues.get(row.id)));
    } catch (error) {
      if (!(error instanceof DependencyUnavailable)) throw error;
      return null;
    }
  }

  private async folded(scope: Scope, before: string | null, state: string | undefined) {
    return endpointsOf(await this.newest(scope))
      .filter((endpoint) => (before === null || endpoint.id < before) && (state ?? endpoint.state) === endpoint.state)
      .map((endpoint) => this.ofState(endpoint));
  }

  private async newest(scope: Scope): Promise<WebhooksState> {
    return (await this.streams.load(webhooksStream(scope))).state;
  }

  private ofState(endpoint: WebhookEndpoint): ListedWebhookEndpointDto {
    return { ...endpointView(endpoint, openUrl(this.master, endpoint.id, endpoint.sealedUrl)), health: null };
  }

  /** `queue` is absent where the endpoint was deleted a moment ago. */
  private ofRow(row: ListedEndpoint, queue: EndpointQueue = { waiting: 0, behind: false }): ListedWebhookEndpointDto {
    return {
      id: row.id,
      url: openUrl(this.master, row.id, row.url),
      types: row.types,
      state: row.state,
      disabledReason: row.disabledReason,
      description: row.description,
      includeIdentifiers: row.includeIdentifiers,
      previousSecretUntil: instant(row.previousUntil),
      createdAt: row.createdAt.toISOString(),
      createdBy: row.createdBy,
      changedAt: row.changedAt.toISOString(),
      health: {
        lastSuccessAt: instant(row.lastSuccessAt),
        lastFailureAt: instant(row.lastFailureAt),
        failingSince: instant(row.failingSince),
        consecutiveFailures: row.consecutiveFailures,
        ...queue,
      },
    };
  }
}

const instant = (date: Date | null): Instant | null => date && date.toISOString();
