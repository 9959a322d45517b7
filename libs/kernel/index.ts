export * from './canonical-json.js';
export * from './decider.js';
export * from './ids.js';
export * from './instant.js';
export * from './reference.js';
export * from './refusal.js';
export * from './scope.js';
