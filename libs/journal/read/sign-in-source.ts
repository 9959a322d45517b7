import { listSignIns, type SignInRow } from '../../access/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { JournalEntry, JournalSource, Placed } from './sources.js';

type SessionRow = Placed & { row: SignInRow };

/** Sign-ins, refused ones, and ends of sessions. */
export function signInSource(database: Pick<Queries, 'query'>): JournalSource<SessionRow> {
  return {
    actions: ['signed_in', 'sign_in_refused', 'signed_out', 'sessions_ended'],
    isOfSites: false,
    rows: async ({ operator, before, from, limit }) =>
      (await listSignIns(database, { operator, before, from, limit })).map((row) => ({
        at: row.at,
        key: row.id,
        operator: row.operator,
        action: row.action,
        site: null,
        env: null,
        row,
      })),
    entries: async (rows) => rows.map(entryOf),
  };
}

const entryOf = ({ row, at, key: id, operator, action }: SessionRow): JournalEntry => ({
  id,
  at,
  operator,
  action,
  site: null,
  env: null,
  target: row.target === null ? null : { type: 'OPERATOR', id: row.target },
  summary: SUMMARIES[row.action](row),
  reason: null,
  before: null,
  after: AFTER[row.action](row),
  session: row.session,
  requestId: row.requestId,
});

const WAYS = { TOKEN: 'with a token', OIDC: 'by OpenID Connect', DEMO: 'to look around in the demo' };
const REFUSALS = {
  TOKEN: 'no such token works',
  ONLY_FIRST: 'only the token of the first start signs in',
  NOT_PROVEN: 'the identity provider proved nothing',
  NO_ROLE: 'no group of the account has a role',
};
const SUMMARIES: Record<SignInRow['action'], (row: SignInRow) => string> = {
  signed_in: ({ way }) => `Signed in ${WAYS[way!]}`,
  sign_in_refused: ({ way, refusal }) => `Sign-in ${WAYS[way!]} refused: ${REFUSALS[refusal!]}`,
  signed_out: () => 'Signed out',
  sessions_ended: () => 'All sessions of an operator ended',
};
const AFTER: Record<SignInRow['action'], (row: SignInRow) => object | null> = {
  signed_in: ({ way }) => ({ way }),
  sign_in_refused: ({ way, refusal, times, lastAt }) => ({ way, refusal, times, lastAt }),
  signed_out: () => null,
  sessions_ended: ({ times }) => ({ ended: times }),
};
