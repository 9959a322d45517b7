import { EVERYBODY, keyOfLook, operatorLooks, type OperatorLook } from '../../access/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { JournalEntry, JournalSource, Placed } from './sources.js';

type LookRow = Placed & { look: OperatorLook };

/** Looks of operators at persons, counted by the hour: the access log. */
export function lookSource(database: Pick<Queries, 'query'>): JournalSource<LookRow> {
  return {
    actions: ['subject_read'],
    isOfSites: true,
    rows: async ({ action: _, ...asked }) =>
      (await operatorLooks(database, asked)).map((look) => ({
        at: look.firstAt,
        key: keyOfLook(look),
        operator: look.reader.replace(/^operator:/, ''),
        action: 'subject_read',
        site: look.site === EVERYBODY ? null : look.site,
        env: look.env === EVERYBODY ? null : look.env,
        look,
      })),
    entries: async (rows) => rows.map(entryOf),
  };
}

const entryOf = ({ look, at, key, operator, action, site, env }: LookRow): JournalEntry => ({
  id: `${key} ${at}`,
  at,
  operator,
  action,
  site,
  env,
  target: look.subjectId === null ? { type: 'SITE', id: null } : { type: 'SUBJECT', id: look.subjectId },
  summary: look.subjectId === null ? 'Looked at all persons' : 'Looked at a person',
  reason: null,
  before: null,
  after: { operation: look.operation, reads: look.reads, lastAt: look.lastAt },
  session: null,
  requestId: null,
});
