import { defineContext } from '../context/define-context.js';
import { STATISTICS_OPERATIONS } from './operations.js';
import { StatisticsReadModule } from './read/module.js';

/** Counts of decisions, in which no reader can find a person. */
export const statisticsContext = defineContext({
  name: 'statistics',
  headings: { Statistics: 'How many people agreed and how many did not. No reader can find a person in the numbers.' },
  operations: STATISTICS_OPERATIONS,
  modules: { 'read-api': [StatisticsReadModule] },
});
