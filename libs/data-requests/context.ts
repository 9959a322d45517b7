import { defineContext } from '../context/define-context.js';
import { dataRequestJournal } from './shown/journal.js';
import { defineReadModel } from '../context/read-model.js';
import { forgetArchives, pruneArchives } from './archive/archive-rows.js';
import { errorPage } from './archive/link-page.js';
import { ARCHIVE_OPERATIONS } from './archive/operations.js';
import { CreateDataRequests1763890000001 } from './data-requests.migration.js';
import { DATA_REQUEST_EVENTS } from './events.js';
import { dueRequests, noteErased } from './due-requests.js';
import { DATA_REQUEST_OPERATIONS } from './operations.js';
import { DataRequestsReadModule } from './read/module.js';
import { DATA_REQUESTS_PROGRESS, dataRequestsProjection } from './read/projection.js';
import { requestSideStreams } from './shown/side-streams.js';
import { HandleDueRequests } from './write/handle-due-requests.handler.js';
import { DataRequestsDispatcherModule, DataRequestsWriteModule } from './write/module.js';
import { portalRequests } from './read/portal-door.js';
import { dataRequestAnnouncements } from './webhooks.js';

/** What people ask of the operator about the data that it has of them, and by when it must be answered. */
export const dataRequestsContext = defineContext({
  name: 'data-requests',
  portal: portalRequests,
  events: DATA_REQUEST_EVENTS,
  streams: [{ name: 'request', of: 'ENVIRONMENT', about: /dsr_[0-9A-Z]{26}/ }],
  webhooks: dataRequestAnnouncements,
  journal: dataRequestJournal,
  sideStreams: requestSideStreams,
  readModels: [defineReadModel({ projection: dataRequestsProjection, progress: DATA_REQUESTS_PROGRESS })],
  operations: [...DATA_REQUEST_OPERATIONS, ...ARCHIVE_OPERATIONS],
  headings: {
    'Data requests': 'What people ask about the data that is kept of them, and by when it must be answered.',
  },
  entities: async () => Object.values(await import('./read/entities.js')),
  migrations: [CreateDataRequests1763890000001],
  modules: {
    'write-api': [DataRequestsWriteModule],
    'read-api': [DataRequestsReadModule],
    dispatcher: [DataRequestsDispatcherModule],
  },
  forget: async ({ database }, { subjectIds }) => {
    await noteErased(database, subjectIds);
    await forgetArchives(database, subjectIds);
  },
  prune: pruneArchives,
  errorPage,
  chores: [
    {
      name: 'dates of data requests',
      due: dueRequests,
      command: ({ subjectId, ...scope }) => new HandleDueRequests(scope, subjectId),
    },
  ],
});
