import { dueWork } from '../commands/works.js';
import { defineContext } from '../context/define-context.js';
import { subjectJournal } from './shown/journal.js';
import { subjectDisplays } from './shown/displays.js';
import { SUBJECT_EVENT_WORDS } from './shown/texts/words.js';
import { BATCH_STREAM, REVEALS_STREAM, SUBJECT_EVENTS } from './events.js';
import { SUBJECT_OPERATIONS } from './operations.js';
import { ErasureReceipts } from './read/erasure-receipts.js';
import { PERSON_OPERATIONS } from './read/person.operations.js';
import { SubjectsReadModule } from './read/module.js';
import { FinishSubjectWork } from './write/finish-work.handler.js';
import { SubjectsWriteModule } from './write/module.js';
import { portalSubjects } from './shown/portal-door.js';
import { subjectAnnouncements } from './webhooks/announcements.js';

// What the composition uses by itself.
export { LinkedVisitors } from './linked-visitors.js';
export { ERASED_TOO, SUBJECT_PARTS, SUBJECT_TAGS, type ErasedToo, type SubjectTags } from './tokens.js';

/** Which person a subject is: identifiers, merges and their reverts, restriction, erasure. */
export const subjectsContext = defineContext({
  name: 'subjects',
  portal: portalSubjects,
  events: SUBJECT_EVENTS,
  streams: [
    { name: 'subject', of: 'ENVIRONMENT', about: /sub_[0-9A-Z]{26}/ },
    { name: REVEALS_STREAM, of: 'ENVIRONMENT' },
    { name: BATCH_STREAM, of: 'ENVIRONMENT', about: /[0-9a-f]{64}/ },
  ],
  webhooks: subjectAnnouncements,
  journal: subjectJournal,
  displays: subjectDisplays,
  eventWords: SUBJECT_EVENT_WORDS,
  receipts: ErasureReceipts,
  headings: { Subjects: 'Which person a subject is: identifiers, merges and their reverts, legal holds, erasure.' },
  operations: [...SUBJECT_OPERATIONS, ...PERSON_OPERATIONS],
  modules: { 'write-api': [SubjectsWriteModule], 'read-api': [SubjectsReadModule], dispatcher: [SubjectsWriteModule] },
  chores: [
    {
      name: 'unfinished merges and erasures',
      due: dueWork,
      command: ({ subjectId, ...scope }) => new FinishSubjectWork(scope, subjectId),
    },
  ],
});
