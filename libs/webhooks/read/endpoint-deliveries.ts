import { Injectable } from '@nestjs/common';
import type { Position, Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { LIST_LIMIT_DEFAULT, pageOf, readCursor, type ListQuery, type Page } from '../../http/list.js';
import { Vault } from '../../vault/vault.js';
import { Answers } from '../deliveries/answers.js';
import { listDeliveries, type ListedDelivery } from '../deliveries/listing.js';
import type { WebhookDeliveryDto } from '../endpoints/delivery.dto.js';
import { EndpointLists } from './endpoint-lists.js';

/** Deliveries to an endpoint, each with its attempts, as its owner sees them. */
@Injectable()
export class EndpointDeliveries {
  private readonly answers: Answers;

  constructor(
    private readonly endpoints: EndpointLists,
    private readonly database: Database,
    vault: Vault,
  ) {
    this.answers = new Answers(vault);
  }

  /** Newest first; null where there is no such endpoint. Throws Refused for a cursor that is none. Rejects with DependencyUnavailable. */
  async list(
    scope: Scope,
    endpointId: string,
    { limit = LIST_LIMIT_DEFAULT, cursor }: ListQuery,
    after: Position | null,
  ): Promise<Page<WebhookDeliveryDto> | null> {
    const before = cursor === undefined ? null : BigInt(readCursor(cursor, ['number'] as const)[0]);
    if (!(await this.endpoints.get(scope, endpointId, after))) return null;
    const found = await listDeliveries(this.database, this.answers, endpointId, { before, limit: limit + 1 });
    const page = pageOf(found, limit, ({ row }) => [Number(row)]);
    return { ...page, data: page.data.map(shown) };
  }
}

const shown = ({ row: _, subjectId, ...delivery }: ListedDelivery): WebhookDeliveryDto => ({
  ...delivery,
  subject: subjectId === null ? null : { id: subjectId },
  createdAt: delivery.createdAt.toISOString(),
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  finishedAt: delivery.finishedAt?.toISOString() ?? null,
  attempts: delivery.attempts.map(({ at, answer, nextAt, ...attempt }) => ({
    ...attempt,
    at: at.toISOString(),
    // Whatever it was, it is shown as text.
    answer: answer && answer.toString(),
    nextAttemptAt: nextAt?.toISOString() ?? null,
  })),
});
