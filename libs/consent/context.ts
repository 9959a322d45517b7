import { defineContext } from '../context/define-context.js';
import { consentJournal } from './shown/journal.js';
import { defineReadModel } from '../context/read-model.js';
import { READ_PROGRESS } from '../log/tokens.js';
import { TAG_CACHE } from '../engines/cache/tag-cache.js';
import { isClosed } from '../subjects/index.js';
import { turningPointsOf } from './circumstances.js';
import { consentDisplays } from './shown/displays.js';
import { CONSENT_EVENT_WORDS } from './shown/texts/words.js';
import { CONSENT_EVENTS, type ConsentRecordedData } from './events.js';
import { consentPart } from './part.js';
import { ConsentReceipts } from './read/consent-receipts.js';
import { consentDecisionsProjection, DECISIONS_PROGRESS } from './read/decisions.projection.js';
import { dueExpiries } from './read/due-expiries.js';
import { GPC_SUPPORT_OPERATION } from './read/gpc-support.operations.js';
import { ConsentReadModule } from './read/module.js';
import { CONSENT_READ_OPERATIONS } from './read/operations.js';
import { consentStateProjection } from './read/projection.js';
import { RENEWAL_OPERATIONS } from './read/renewals/renewals.operations.js';
import { CatalogueSimulationModule } from './read/simulation/simulation.module.js';
import { SIMULATION_OPERATIONS } from './read/simulation/simulation.operations.js';
import { CONSENT_VIEW_VERSION } from './state-view.js';
import { ExpireConsent } from './write/expire-consent.handler.js';
import { ConsentWriteModule } from './write/module.js';
import { CONSENT_WRITE_OPERATIONS } from './write/operations.js';
import { portalConsent } from './shown/portal-door.js';
import { consentAnnouncements } from './webhooks/announcements.js';

/** Who consented to what: recorded one by one or in batches, read, explained, and expired when its time is over. */
export const consentContext = defineContext({
  name: 'consent',
  portal: portalConsent,
  events: CONSENT_EVENTS,
  webhooks: consentAnnouncements,
  counted: [
    {
      type: 'ConsentRecorded',
      metric: 'assent_consent_records_total',
      help: 'Decisions recorded by this process, by purpose and decision.',
      labels: ['purpose', 'decision'],
      of: ({ purpose, decision }: ConsentRecordedData) => ({ purpose, decision }),
    },
  ],
  part: consentPart,
  journal: consentJournal,
  displays: consentDisplays,
  eventWords: CONSENT_EVENT_WORDS,
  readModels: [
    defineReadModel({
      projection: consentStateProjection,
      progress: READ_PROGRESS,
      tags: {
        token: TAG_CACHE,
        prefix: '',
        viewVersion: CONSENT_VIEW_VERSION,
        of: (row) => ({
          revision: row!.revision,
          turningPoints: turningPointsOf(row!.state),
          isClosed: isClosed(row!.state),
        }),
      },
    }),
    defineReadModel({ projection: consentDecisionsProjection, progress: DECISIONS_PROGRESS }),
  ],
  headings: {
    Consent: 'Who agreed to what: record decisions, read what they allow, explain why, and tell their history.',
  },
  operations: [
    ...CONSENT_WRITE_OPERATIONS,
    ...CONSENT_READ_OPERATIONS,
    GPC_SUPPORT_OPERATION,
    ...RENEWAL_OPERATIONS,
    ...SIMULATION_OPERATIONS,
  ],
  modules: {
    'write-api': [ConsentWriteModule, CatalogueSimulationModule],
    'read-api': [ConsentReadModule],
    dispatcher: [ConsentWriteModule],
  },
  receipts: ConsentReceipts,
  chores: [
    { name: 'expiries', due: dueExpiries, command: ({ subjectId, ...scope }) => new ExpireConsent(scope, subjectId) },
  ],
});
