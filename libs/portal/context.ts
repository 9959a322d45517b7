import { defineContext } from '../context/define-context.js';
import { PortalTokensModule } from './tokens/module.js';
import { PORTAL_TOKEN_OPERATIONS } from './tokens/operations.js';

/** Where people see and change what a site keeps of them, by themselves. */
export const portalContext = defineContext({
  name: 'portal',
  headings: { Portal: 'People act for themselves: signed in by your server, or by a code that is mailed to them.' },
  operations: PORTAL_TOKEN_OPERATIONS,
  modules: { 'write-api': [PortalTokensModule] },
});
