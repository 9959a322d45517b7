export * from './events.js';
export { isOptOut } from './dates.js';
export { needsVerification } from './decide.js';
export { isOpen, OPEN_STATES } from './state.js';
export type { ArchiveOutlook, DataRequestView, ListedDataRequest } from './view.js';
export { requestStreamsOf, subjectOfRequestEvent } from './requests-of.js';
export { ARCHIVE_WORDS, type ArchiveWords } from './archive/texts/words.js';
export { ArchiveNames } from './archive/archive-names.js';
export { CORRECTIONS_MAX, readCorrections } from './corrections.js';
