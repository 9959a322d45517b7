import { defineContext } from '../context/define-context.js';
import { SUMMARY_OPERATIONS } from './operations.js';
import { SummaryModule } from './read/module.js';

/** What operators see first of each site: how it goes, and what needs them. */
export const summaryContext = defineContext({
  name: 'summary',
  operations: SUMMARY_OPERATIONS,
  modules: { 'write-api': [SummaryModule] },
});
