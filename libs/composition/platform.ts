import { BY_ANYBODY } from '../access/index.js';
import { defineContext } from '../context/define-context.js';
import { CreateEventLog1700000000001 } from '../log/adapters/postgres/postgres.migration.js';
import { KnowLog1763812000001 } from '../log/known-log.migration.js';
import { CreateProjections1700000000002 } from '../following/projection.migration.js';
import { HEALTH_OPERATIONS } from './health/health.operations.js';
import { OPERATOR_HEALTH_OPERATIONS } from './health/operator-health.operations.js';
import { SnapshotStore } from '../streams/snapshot-store.js';
import { CreateSnapshots1763785000001 } from '../streams/snapshots.migration.js';
import { NoteLogPrefix1763811000001 } from '../engines/database/log-prefix.migration.js';
import { CreateDeliveries1763750000001 } from '../deliveries/deliveries.migration.js';
import { dropSubjects } from '../deliveries/queue.js';
import { DOCS_OPERATIONS } from '../http/docs/docs-pages.js';
import { CreateCommands1763700000002 } from '../commands/commands.migration.js';
import { ELEMENTS_OPERATIONS } from '../http/elements/elements.controller.js';
import { MAIL_CHANNEL } from '../deliveries/mail/mail-delivery.js';
import { OUTBOX_OPERATIONS, OutboxModule } from '../deliveries/mail/outbox-pages.js';
import { addressesIn } from '../engines/mail/mail.js';
import { CreateMailOutbox1763750000002 } from '../deliveries/mail/outbox.migration.js';
import { forgetMails, forgetMailsTo, pruneMails } from '../deliveries/mail/outbox.js';
import { sealingOf } from '../vault/master-key.js';
import { CreateVault1763700000001 } from '../vault/vault.migration.js';
import { START_OPERATION } from './health/start.operations.js';

/**
 * What is there without any context: event log, snapshots, vault, idempotency, deliveries, mail, probes and documentation. Declared
 * here, because platform and event log know nothing of contexts. Probes and documentation stand in every process.
 */
export const platformContext = defineContext({
  name: 'platform',
  operations: [
    START_OPERATION,
    ...HEALTH_OPERATIONS,
    ...OPERATOR_HEALTH_OPERATIONS,
    ...[...DOCS_OPERATIONS, ...ELEMENTS_OPERATIONS].map((page) => ({ ...BY_ANYBODY, ...page })),
    // They need no API key; who may see them is decided by their controller.
    ...OUTBOX_OPERATIONS.map((page) => ({ ...BY_ANYBODY, ...page })),
  ],
  headings: { Probes: 'For orchestrators, load balancers and monitoring. They take no key.' },
  migrations: [
    CreateEventLog1700000000001,
    CreateProjections1700000000002,
    CreateVault1763700000001,
    CreateCommands1763700000002,
    CreateDeliveries1763750000001,
    CreateMailOutbox1763750000002,
    CreateSnapshots1763785000001,
    NoteLogPrefix1763811000001,
    KnowLog1763812000001,
  ],
  modules: { 'read-api': [OutboxModule] },
  forget: async ({ database, master }, { scope, subjectIds, references }) => {
    await dropSubjects(database, MAIL_CHANNEL, subjectIds);
    await forgetMails(database, subjectIds);
    await forgetMailsTo(database, sealingOf(master), scope, addressesIn(references));
    await new SnapshotStore(database).forget(subjectIds);
  },
  prune: pruneMails,
});
