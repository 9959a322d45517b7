export type { ExplainedString } from './decode/explain.js';
