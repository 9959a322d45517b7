import { isId, type Scope } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import { requestStream, REQUEST_PREFIX } from './state.js';

const OF_SUBJECTS = {
  name: 'data_request_streams_of_subjects',
  text: 'select id from write.data_request where site = $1 and env = $2 and subject_id = any($3::text[]) order by id',
};

/** The streams of all data requests of these subjects, in the order in which they were opened. */
export async function requestStreamsOf(
  database: Pick<Queries, 'query'>,
  scope: Scope,
  subjectIds: readonly string[],
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(OF_SUBJECTS, [scope.site, scope.env, subjectIds]);
  return rows.map(({ id }) => requestStream(scope, id));
}

/** The subject that an event of a data request is about, whose key seals what is personal in it; null: it is no such event. */
export function subjectOfRequestEvent({ stream, data }: { stream: string; data: unknown }): string | null {
  if (!stream.startsWith(REQUEST_PREFIX)) return null;
  const { subjectId } = (data ?? {}) as { subjectId?: unknown };
  return typeof subjectId === 'string' && isId('sub', subjectId) ? subjectId : null;
}
