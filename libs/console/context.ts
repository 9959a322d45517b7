import { defineContext } from '../context/define-context.js';
import { ConsoleModule } from './module.js';
import { CONSOLE_OPERATIONS } from './operations.js';

export { CONSOLE_IS_ON } from './controller.js';

/** The app for operators in a browser. It is made of apps/console and calls `/admin/v1` alone. */
export const consoleContext = defineContext({
  name: 'console',
  operations: CONSOLE_OPERATIONS,
  modules: { 'write-api': [ConsoleModule] },
});
