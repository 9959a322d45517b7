import type { Scope } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { GroupCommit } from '../../engines/database/group-commit.js';

interface Sought {
  scope: Scope;
  sequence: bigint;
}

const FIND = {
  name: 'webhooks_event_bodies',
  text: `select w.n::int as n, v.body
         from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as w(site, env, sequence, n)
         cross join lateral (
           select v.body from webhooks.event v where v.site = w.site and v.env = w.env and v.sequence = w.sequence limit 1
         ) v`,
};

/** Bodies of webhook events. Those that are asked for at once are read at once. */
export class EventBodies {
  private readonly finding: GroupCommit<Sought, string | null>;

  constructor(private readonly queries: Queries) {
    this.finding = new GroupCommit((sought) => this.find(sought));
  }

  /** Throws where there is no such event. */
  async of(scope: Scope, sequence: bigint): Promise<string> {
    const body = await this.finding.submit({ scope, sequence });
    if (body === null) throw new Error(`there is no webhook event ${sequence} in ${scope.site}.${scope.env}`);
    return body;
  }

  private async find(sought: readonly Sought[]): Promise<(string | null)[]> {
    const rows = await this.queries.query<{ n: number; body: string }>(FIND, [
      sought.map(({ scope }) => scope.site),
      sought.map(({ scope }) => scope.env),
      sought.map(({ sequence }) => sequence),
    ]);
    const bodies = new Map(rows.map(({ n, body }) => [n, body]));
    return sought.map((_, i) => bodies.get(i + 1) ?? null);
  }
}
