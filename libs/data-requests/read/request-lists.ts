import { Inject, Injectable } from '@nestjs/common';
import {
  CLOCK,
  isRefusal,
  parseInstant,
  Refused,
  type Clock,
  type Position,
  type ReadProgress,
  type Scope,
} from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { Repositories } from '../../engines/database/repositories.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { Caller } from '../../http/caller.js';
import { LIST_LIMIT_DEFAULT, pageOf, readCursor, type Page } from '../../http/list.js';
import { readReference } from '../../http/registered-kind.js';
import { countsViewOf } from '../../following/projections/read-table.js';
import { DATA_REQUEST_STATES, type DataRequestStateName } from '../events.js';
import type { DataRequestListQuery } from '../list.dto.js';
import { listedView, type ListedDataRequest } from '../view.js';
import { Families } from './families.js';
import { DATA_REQUESTS_PROGRESS, dataRequestsProjection, dueOrNever, NEVER } from './projection.js';

/** How long a list waits for its rows to hold the caller's own write, in ms. */
const ROWS_WITHIN_MS = 1_500;

const COUNTS = {
  name: 'data_requests_counts',
  text: `select live.version,
                (select json_object_agg(state, requests) from ${countsViewOf(dataRequestsProjection.name)} where site = $1 and env = $2) as states,
                waiting.*
         from projection.generations live,
              lateral (
                select count(*)::int as open,
                       count(*) filter (where due_at <= $3)::int as overdue,
                       count(*) filter (where due_at > $3 and due_at <= $3::timestamptz + interval '7 days')::int as soon,
                       count(*) filter (where assignee is null)::int as unassigned
                from read.${dataRequestsProjection.name} where site = $1 and env = $2 and is_open
              ) waiting
         where live.name = '${dataRequestsProjection.name}' and live.live`,
};

interface CountsRow {
  version: number;
  states: Partial<Record<DataRequestStateName, number>> | null;
  open: number;
  overdue: number;
  soon: number;
  unassigned: number;
}

export interface DataRequestCounts {
  object: 'data_request_counts';
  states: Record<DataRequestStateName, number>;
  open: number;
  overdue: number;
  dueWithin7Days: number;
  unassigned: number;
}

/** The queue of requests, from rows. */
@Injectable()
export class RequestLists {
  constructor(
    private readonly repositories: Repositories,
    private readonly database: Database,
    private readonly families: Families,
    @Inject(DATA_REQUESTS_PROGRESS) private readonly progress: ReadProgress,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * A page. `after`: the caller's own last write, which is among the answers. Throws Refused for a cursor or a reference
   * that is none; rejects with DependencyUnavailable where the rows do not come that far in time.
   */
  async list(caller: Caller, query: DataRequestListQuery, after: Position | null): Promise<Page<ListedDataRequest>> {
    const { limit = LIST_LIMIT_DEFAULT, cursor, state, type, assignee, dueBefore, overdue, order = 'DUE' } = query;
    const family = query.subject === undefined ? null : await this.familyOf(caller, query.subject);
    if (family?.length === 0) return { data: [], nextCursor: null, hasMore: false };
    await this.reached(after);
    const before = cursor === undefined ? null : readCursor(cursor, ['string', 'string'] as const);
    const at = this.clock();
    const { site, env } = caller;
    const { ListedDataRequestRow } = await import('./entities.js');
    const rows = await this.repositories.ask(ListedDataRequestRow, (requests) => {
      const due = dueOrNever('request.dueAt');
      const found = requests.createQueryBuilder('request').where({ site, env });
      if (family) found.andWhere('request.subjectId in (:...family)', { family });
      if (type !== undefined) found.andWhere('request.type = :type', { type });
      if (state === 'OPEN') found.andWhere('request.isOpen');
      else if (state !== undefined) found.andWhere('request.state = :state', { state });
      if (assignee === 'NONE') found.andWhere('request.assignee is null');
      else if (assignee !== undefined) found.andWhere('request.assignee = :assignee', { assignee });
      if (dueBefore !== undefined) found.andWhere(`${due} < :until`, { until: parseInstant(dueBefore) });
      if (overdue === true) found.andWhere(`request.isOpen and ${due} <= :at`, { at });
      else if (overdue === false) found.andWhere(`not (request.isOpen and ${due} <= :at)`, { at });
      if (order === 'NEWEST') {
        if (before) found.andWhere('request.id < :id', { id: before[1] });
        found.orderBy('request.id', 'DESC');
      } else {
        if (before)
          found.andWhere(`(${due}, request.id) > (:due::timestamptz, :id)`, { due: before[0], id: before[1] });
        found.orderBy(due, 'ASC').addOrderBy('request.id', 'ASC');
      }
      return found.limit(limit + 1).getMany();
    });
    const page = pageOf(rows, limit, ({ id, dueAt }) => [dueAt?.toISOString() ?? NEVER, id]);
    return { ...page, data: page.data.map(({ request }) => listedView(request, at)) };
  }

  /** How many there are, from rows that reach `after`. Costs as much as there are open ones. */
  async counts({ site, env }: Scope, after: Position | null): Promise<DataRequestCounts> {
    await this.reached(after);
    const [row] = await this.database.query<CountsRow>(COUNTS, [site, env, this.clock()]);
    // The counts of another version may lack columns.
    if (row?.version !== dataRequestsProjection.version) throw new DependencyUnavailable('read model of data requests');
    const { states, open, overdue, soon, unassigned } = row;
    return {
      object: 'data_request_counts',
      states: Object.fromEntries(DATA_REQUEST_STATES.map((state) => [state, states?.[state] ?? 0])) as Record<
        DataRequestStateName,
        number
      >,
      open,
      overdue,
      dueWithin7Days: soon,
      unassigned,
    };
  }

  private async reached(after: Position | null): Promise<void> {
    if (after !== null && !(await this.progress.reached(after, ROWS_WITHIN_MS)))
      throw new DependencyUnavailable('read model of data requests');
  }

  private familyOf(caller: Caller, ref: string): Promise<string[]> {
    const reference = readReference(ref, caller);
    if (isRefusal(reference))
      throw new Refused({ ...reference, issues: [{ path: 'subject', message: reference.message }] });
    return this.families.of(caller, reference);
  }
}
