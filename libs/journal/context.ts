import { defineContext } from '../context/define-context.js';
import { defineReadModel } from '../context/read-model.js';
import { JOURNAL_OPERATIONS } from './operations.js';
import { journalProjection, JOURNAL_PROGRESS } from './read/journal.projection.js';
import { JournalModule } from './read/module.js';

/** Who did what: every change that an operator made, sign-ins, and looks at persons, in one list. */
export const journalContext = defineContext({
  name: 'journal',
  readModels: (_, journal) => [defineReadModel({ projection: journalProjection(journal), progress: JOURNAL_PROGRESS })],
  operations: JOURNAL_OPERATIONS,
  modules: { 'write-api': [JournalModule] },
});
