import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Environment } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { FAILING_DAYS_MAX } from '../deliveries/delivery-contract.js';
import type { DisabledReason } from '../events.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** So many at a time: the next second there is another. */
const AT_ONCE = 100;

const GIVEN_UP = {
  name: 'webhooks_given_up_endpoints',
  text: `select id, site, env, case when gone_at is null then 'FAILING' else 'GONE' end as reason, coalesce(gone_at, last_failure_at) as "triedAt"
         from webhooks.endpoint
         where state = 'ENABLED' and (gone_at is not null or last_failure_at >= failing_since + make_interval(days => $1))
         order by id limit ${AT_ONCE}`,
};

interface GivenUp {
  id: string;
  site: string;
  env: Environment;
  reason: DisabledReason;
  triedAt: Date;
}

/** Disable endpoints whose receivers are gone, or have failed for days without one success. */
export class DisableFailingEndpoints extends Command<void> {}

@CommandHandler(DisableFailingEndpoints)
export class DisableFailingEndpointsHandler implements ICommandHandler<DisableFailingEndpoints> {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** What was noted of attempts stays until the event is in the table of endpoints, so nothing is lost by a crash in between. */
  async execute(): Promise<void> {
    const rows = await this.database.query<GivenUp>(GIVEN_UP, [FAILING_DAYS_MAX]);
    for (const { id, site, env, reason, triedAt } of rows)
      await this.endpoints.disable({ site, env }, id, reason, triedAt.toISOString());
  }
}
