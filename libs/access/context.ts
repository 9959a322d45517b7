import { defineContext } from '../context/define-context.js';
import { accessJournal } from './journal.js';
import { TWIN_TAG } from '../context/operations.js';
import { defineReadModel } from '../context/read-model.js';
import { AdminModule } from './admin/module.js';
import { BRAND_OPERATIONS } from './admin/brand.operations.js';
import { ADMIN_OPERATIONS } from './admin/operations.js';
import { OPERATOR_TOKEN_OPERATIONS } from './admin/operator-tokens.operations.js';
import { OPERATOR_TOKEN_EVENTS, OPERATOR_TOKENS_STREAM } from './operators/operator-token-events.js';
import { ROLE_OPERATIONS } from './admin/roles.operations.js';
import { OPERATOR_OPERATIONS } from './admin/operators.operations.js';
import { SESSION_OPERATIONS } from './admin/session.operations.js';
import { OIDC_OPERATIONS } from './oidc/operations.js';
import { SITE_EVENTS } from './events.js';
import { CreateEndedSessions1763910000002 } from './operators/ended-sessions.migration.js';
import { pruneSessions } from './operators/ended-sessions.js';
import { CreateOperatorSessions1763930000001 } from './operators/session-rows.migration.js';
import { CreateSignIns1764360000001 } from './operators/sign-ins.migration.js';
import { pruneOperatorSessions } from './operators/session-rows.js';
import { siteKeysProjection } from './sites/key-projection.js';
import { CreateKeyUse1763740000001 } from './sites/key-use.migration.js';
import { PruneReads, ReadsRetentionModule } from './reads/retention.js';
import { IndexReadsByReader1763940000001 } from './reads/reads-by-reader.migration.js';
import { CreateSubjectReads1763815000001 } from './reads/subject-reads.migration.js';
import { siteStateProjection } from './sites/site-projection.js';
import { siteAnnouncements } from './webhooks.js';

// What the composition uses by itself.
export { authenticate } from './callers/authenticate.js';
export { openOperatorSignIn, type OperatorSignIn } from './oidc/sign-in.js';
export { parseKey } from './callers/api-key.js';
/** Loaded only where there is a Redis. */
export const loadRedisLimits = () => import('./limits/redis-limits.js');
export { READS_RETENTION_DAYS } from './reads/retention.js';
export { siteKeysProjection, siteStateProjection };
export type { ListedRows } from './admin/lists.js';

/** Sites, their keys and operators. Each process has the guard itself, which libs/composition puts there. */
export const accessContext = defineContext({
  name: 'access',
  events: [...SITE_EVENTS, ...OPERATOR_TOKEN_EVENTS],
  streams: [
    { name: 'site', of: 'SITE' },
    { name: OPERATOR_TOKENS_STREAM, of: 'INSTALLATION' },
  ],
  journal: accessJournal,
  webhooks: siteAnnouncements,
  readModels: [
    defineReadModel({ projection: siteStateProjection, exactVersion: true }),
    defineReadModel({ projection: siteKeysProjection, exactVersion: true }),
  ],
  headings: {
    [TWIN_TAG]:
      'Every operation of a secret key, for operators: site and environment stand in the path, and roles decide. Body, answers and errors are those of the operation that each of them names.',
    Operator: 'Sites and their keys, catalogues, operator tokens: with an operator token, never with a key of a site.',
  },
  operations: [
    ...ADMIN_OPERATIONS,
    ...BRAND_OPERATIONS,
    ...OPERATOR_TOKEN_OPERATIONS,
    ...ROLE_OPERATIONS,
    ...OPERATOR_OPERATIONS,
    ...SESSION_OPERATIONS,
    ...OIDC_OPERATIONS,
  ],
  entities: async () => Object.values(await import('./admin/entities.js')),
  migrations: [
    CreateKeyUse1763740000001,
    CreateSubjectReads1763815000001,
    CreateEndedSessions1763910000002,
    CreateOperatorSessions1763930000001,
    IndexReadsByReader1763940000001,
    CreateSignIns1764360000001,
  ],
  modules: { 'write-api': [AdminModule], dispatcher: [ReadsRetentionModule] },
  prune: async (queries) => {
    await pruneSessions(queries);
    await pruneOperatorSessions(queries);
  },
  chores: [{ name: 'outdated reads', command: () => new PruneReads() }],
});
