import { defineContext } from '../context/define-context.js';
import { POLICY_OPERATIONS } from './operations.js';
import { PolicyTableModule } from './pages/module.js';
import { PolicyReadModule } from './read/module.js';

/** What the law of a place demands at a time. The data have dates and belong to no site. */
export const policyContext = defineContext({
  name: 'policy',
  operations: POLICY_OPERATIONS,
  headings: { Policy: 'What the law of a place demands, and since when.' },
  modules: {
    'write-api': [PolicyTableModule],
    'read-api': [PolicyReadModule, PolicyTableModule],
    projector: [PolicyTableModule],
    dispatcher: [PolicyTableModule],
  },
});
