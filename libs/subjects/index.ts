export * from './events.js';
export { firstSight } from './decide.js';
export { subjectRefusals } from './refusals.js';
