import { defineContext } from '../context/define-context.js';
import { STATISTICS_OPERATIONS } from './operations.js';
import { SiteStatisticsModule, StatisticsReadModule } from './read/module.js';

/** How many agreed and how many did not, without saying who. */
export const statisticsContext = defineContext({
  name: 'statistics',
  headings: { Statistics: 'How many agreed and how many did not, from which nobody can be found.' },
  operations: STATISTICS_OPERATIONS,
  modules: { 'write-api': [SiteStatisticsModule], 'read-api': [StatisticsReadModule] },
});
