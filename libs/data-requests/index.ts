export * from './events.js';
export { isOptOut } from './dates.js';
export { needsVerification } from './decide.js';
export { isOpen, OPEN_STATES } from './state.js';
export type { DataRequestView, ListedDataRequest } from './view.js';
