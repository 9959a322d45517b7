import { defineContext } from '../context/define-context.js';
import { preferenceJournal } from './shown/journal.js';
import { defineReadModel } from '../context/read-model.js';
import { isClosed } from '../subjects/index.js';
import { ConfirmationIndex } from './confirmation-index.js';
import { CreateConfirmationTokens1763770000001 } from './confirmations.migration.js';
import { preferenceDisplays } from './shown/displays.js';
import { PREFERENCE_EVENT_WORDS } from './shown/texts/words.js';
import { PREFERENCE_EVENTS } from './events.js';
import { PreferenceLinksModule } from './links/links.module.js';
import { errorPage } from './pages/errors.js';
import { PreferencePagesModule } from './pages/module.js';
import { PREFERENCE_PAGE_OPERATIONS } from './pages/operations.js';
import { preferencePart } from './part.js';
import { dueConfirmations } from './read/due-confirmations.js';
import { LinkPagesModule } from './read/link-pages.module.js';
import { PreferenceReadModule } from './read/module.js';
import { PreferenceReceipts } from './read/preference-receipts.js';
import { PREFERENCE_READ_OPERATIONS } from './read/operations.js';
import { preferenceStateProjection } from './read/projection.js';
import { isUntouched, preferenceTurningPoints } from './state.js';
import { PREFERENCE_PROGRESS, PREFERENCE_TAGS } from './streams.module.js';
import { PREFERENCES_VIEW_VERSION } from './view.js';
import { ConfirmationMails } from './write/confirmation-mails.js';
import { ConfirmationModule } from './write/confirmation.module.js';
import { CONFIRMATION_OPERATIONS } from './write/confirmation.operations.js';
import { ExpireConfirmations } from './write/expire-confirmations.handler.js';
import { PreferenceWriteModule } from './write/module.js';
import { PREFERENCE_WRITE_OPERATIONS } from './write/operations.js';
import { preferenceAnnouncements } from './webhooks.js';

const WRITING = [PreferenceWriteModule, PreferenceLinksModule, ConfirmationModule];
import { portalWishes } from './shown/portal-door.js';

/** Which messages a person wants: set, confirmed by double opt-in, unsubscribed from by a link, and read. */
export const preferencesContext = defineContext({
  name: 'preferences',
  portal: portalWishes,
  events: PREFERENCE_EVENTS,
  webhooks: preferenceAnnouncements,
  part: preferencePart,
  journal: preferenceJournal,
  displays: preferenceDisplays,
  eventWords: PREFERENCE_EVENT_WORDS,
  readModels: [
    defineReadModel({
      projection: preferenceStateProjection,
      progress: PREFERENCE_PROGRESS,
      tags: {
        token: PREFERENCE_TAGS,
        prefix: 'p-',
        viewVersion: PREFERENCES_VIEW_VERSION,
        of: (row) => ({
          revision: isUntouched(row!.state) ? -1 : row!.revision,
          turningPoints: preferenceTurningPoints(row!.state),
          isClosed: isClosed(row!.state),
        }),
      },
    }),
  ],
  headings: {
    Preferences:
      'Which messages a person wants: channels and topics, typed fields, double opt-in, and links to unsubscribe.',
  },
  operations: [
    ...PREFERENCE_WRITE_OPERATIONS,
    ...PREFERENCE_READ_OPERATIONS,
    ...CONFIRMATION_OPERATIONS,
    ...PREFERENCE_PAGE_OPERATIONS,
  ],
  migrations: [CreateConfirmationTokens1763770000001],
  modules: {
    'write-api': WRITING,
    'read-api': [PreferenceReadModule, PreferenceLinksModule, LinkPagesModule, PreferencePagesModule],
    dispatcher: WRITING,
  },
  receipts: PreferenceReceipts,
  chores: [
    {
      name: 'confirmations',
      due: dueConfirmations,
      command: ({ subjectId, ...scope }) => new ExpireConfirmations(scope, subjectId),
    },
  ],
  forget: ({ database }, { subjectIds }) => new ConfirmationIndex(database).dropSubjects(subjectIds),
  prune: (database) => new ConfirmationIndex(database).prune(),
  mailKeeper: ConfirmationMails,
  errorPage,
});
