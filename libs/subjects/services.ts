export * from './batches/batch.js';
export { SubjectHistory } from './history.js';
export { SubjectLookup } from './lookup.js';
export * from './rights.js';
export type { AddressOwner, PortalSubjects } from './shown/portal-door.js';
export * from './writer.js';
