import { defineJournal } from '../../context/journal.js';
import type { ConsentEvent } from '../events.js';

/** Which record it is. What the person decided stands in the history of the person. */
export const consentJournal = defineJournal<ConsentEvent>({
  ConsentRecorded: ({ recordId, purpose }, { subjectId: id }) => ({
    target: { type: 'SUBJECT', id },
    summary: 'Consent recorded',
    after: { recordId, purpose },
  }),
  ConsentExpired: null,
});
