import { defineJournal } from '../../context/journal.js';
import type { PreferenceEvent } from '../events.js';

/** Which record it is. What the person wants stands in the history of the person. */
export const preferenceJournal = defineJournal<PreferenceEvent>({
  PreferenceSet: ({ recordId }, { subjectId: id }) => ({
    target: { type: 'SUBJECT', id },
    summary: 'Preferences set',
    after: { recordId },
  }),
  PreferenceConfirmationRequested: ({ requestId }, { subjectId: id }) => ({
    target: { type: 'SUBJECT', id },
    summary: 'Confirmation asked for',
    after: { requestId },
  }),
  PreferenceConfirmationMailed: null,
  // The person does it, by a link.
  PreferenceConfirmed: null,
  PreferenceConfirmationExpired: null,
});
