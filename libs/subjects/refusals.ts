import { refusal, type Refusal } from '../kernel/index.js';

export const subjectRefusals = {
  notFound: (): Refusal => refusal('subject_not_found', 'No subject has that id here.', 'Check the id and the environment of the key, or use another reference of the subject.', [{ path: 'subject', message: 'names nobody' }]),
} as const;
