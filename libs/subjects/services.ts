export { LinkedVisitors } from './linked-visitors.js';
export { SubjectLookup } from './lookup.js';
export * from './rights.js';
export type { AddressOwner, PortalSubjects } from './shown/portal-door.js';
export { ERASED_TOO, SUBJECT_PARTS, SUBJECT_TAGS, type ErasedToo, type SubjectTags } from './tokens.js';
export * from './writer.js';
