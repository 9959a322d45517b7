import { defineContext } from '../context/define-context.js';

/** What ad tech and Google are told of a choice: strings that are made of the effective state, and never contradict it. */
export const frameworksContext = defineContext({
  name: 'frameworks',
  headings: { Frameworks: 'What the subject chose, in the strings that ad tech and Google read.' },
});
