import { defineProjection, type Added } from '../../following/projections/projection.js';
import { DATA_REQUEST_EVENT_TYPES, type DataRequestEvent } from '../events.js';
import { isOpen, nextChoreAt, REQUEST_PREFIX, requestFold, type DataRequest } from '../state.js';

/** Injection token of the ReadProgress of the listed requests. */
export const DATA_REQUESTS_PROGRESS = Symbol('DataRequestsProgress');

/** When a request is due that has no such time, as far as an order is concerned. */
export const NEVER = '9999-12-31T23:59:59.999Z';
/** What requests are ordered by; the same text in queries and indexes, else no index helps. */
export const dueOrNever = (column: string): string => `coalesce(${column}, timestamptz '${NEVER}')`;

/** A request, and whose site it belongs to; null before its first event. */
export type ListedRequest = { site: string; env: string; request: DataRequest } | null;

/**
 * `read.data_requests`: one row per request, for lists and for what time demands. Nothing of what people wrote: there is
 * nothing to forget.
 */
export const dataRequestsProjection = defineProjection<ListedRequest, DataRequestEvent>({
  name: 'data_requests',
  version: 2,
  on: DATA_REQUEST_EVENT_TYPES,
  streams: [REQUEST_PREFIX],
  keyIsOfStream: true,
  key: (event) => event.stream.slice(event.stream.lastIndexOf('.') + 1),
  initial: () => null,
  evolve: (listed, event) => {
    const request = requestFold.evolve(listed?.request ?? null, event);
    const [site, env] = event.stream.slice(REQUEST_PREFIX.length).split('.') as [string, string];
    return request && { site, env, request: { ...request, texts: {} } };
  },
  rows: (id, listed) => (listed ? [{ id, ...rowOf(listed) }] : []),
  load: (_, [row]) => ({ site: row!.site as string, env: row!.env as string, request: row!.request as DataRequest }),
  table: {
    columns: {
      id: 'text collate "C" not null',
      site: 'text collate "C" not null',
      env: 'text collate "C" not null',
      subject_id: 'text collate "C" not null',
      type: 'text not null',
      state: 'text not null',
      assignee: 'text collate "C"',
      is_open: 'boolean not null',
      received_at: 'timestamptz not null',
      // Null: the clock stands still, or the law sets no period.
      due_at: 'timestamptz',
      // When a dispatcher has something to do about it; null: never, as it stands.
      next_chore_at: 'timestamptz',
      request: 'json not null',
    },
    keyColumn: 'id',
    primaryKey: ['id'],
    indexes: [
      `site, env, ${dueOrNever('due_at')}, id`,
      `site, env, is_open, ${dueOrNever('due_at')}, id`,
      `site, env, assignee, ${dueOrNever('due_at')}, id`,
      'site, env, id',
      'subject_id',
      'next_chore_at',
    ],
  },
  counts: {
    cell: { site: 'text collate "C" not null', env: 'text collate "C" not null', state: 'text not null' },
    of: ['requests'],
    added: (before, _, after) => {
      if (!after || before?.request.state === after.request.state) return [];
      return [...(before ? [countedIn(before, -1)] : []), countedIn(after, 1)];
    },
  },
});

const countedIn = ({ site, env, request: { state } }: NonNullable<ListedRequest>, by: 1 | -1): Added => ({
  cell: { site, env, state },
  to: 'requests',
  by,
});

const rowOf = ({ site, env, request }: NonNullable<ListedRequest>) => ({
  site,
  env,
  subject_id: request.subjectId,
  type: request.type,
  state: request.state,
  assignee: request.assignee ?? null,
  is_open: isOpen(request),
  received_at: request.receivedAt,
  due_at: request.dueAt,
  next_chore_at: nextChoreAt(request),
  request,
});
